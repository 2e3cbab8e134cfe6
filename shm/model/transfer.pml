/* One transfer record (shm/transfer.h), used for one message after the other.

   The sender offers, and may take an offer back; the receiver takes what the
   ring brings it and answers: both copy, the sender streams, or it is received
   at once. The system may refuse a copy: then the receiver asks for a stream
   when all is counted. Checked by assertions: a taken record is the one whose
   ring record was read; sender and receiver never both win it; no piece is
   copied twice or lies behind the end; whoever sees all counted and none refused
   finds all copied; nobody copies any more when the stream is asked for. And
   nobody waits for ever (no invalid end state).

   What each of these changes must be found (model_test.sh):
     NO_CAS            the state is changed by a load and a store
     NO_BOUND          the claimed number is not compared with the count again
     COUNT_EARLY       a piece is counted before it is copied
     REUSE_WITHDRAWN   the sender reuses a record that it has withdrawn
     REUSE_COPIED      the sender reuses a record when it sees all copied
     TRUST_COUNT       whoever sees all counted does not ask whether a copy was refused
     STREAM_EARLY      the receiver asks for a stream as soon as a copy is refused */

#define MESSAGES 3
#define PIECES 2

mtype = { idle, offered, withdrawn, taken, copying, streaming, received };

mtype state = idle;
byte offer_of;           /* the message, as a ring record would name it */
byte claimed, finished;  /* pieces */
byte copied[PIECES];     /* how often each */
bit refused;             /* some copy was */
byte at_work;            /* sides that are copying a piece */
chan records = [MESSAGES] of { byte };

inline change(to, won) {
#ifdef NO_CAS
  won = (state == offered);
  if
  :: won -> state = to
  :: else
  fi
#else
  atomic {
    won = (state == offered);
    if
    :: won -> state = to
    :: else
    fi
  }
#endif
}

/* One side's share. */
inline copy_pieces() {
  do
  :: claimed >= PIECES -> break
  :: else ->
     atomic { mine = claimed; claimed++ };
     if
#ifndef NO_BOUND
     :: mine >= PIECES -> break
#endif
     :: else ->
        assert(mine < PIECES);
#ifdef COUNT_EARLY
        finished++;
#endif
        if
        :: refused -> skip /* it need not be tried */
        :: else ->
           at_work++;
           if
           :: copied[mine]++
           :: refused = 1 /* by the system */
           fi;
           at_work--
        fi;
#ifndef COUNT_EARLY
        finished++;
#endif
        mine = 0
     fi
  od;
  mine = 0;
#ifdef STREAM_EARLY
  (finished == PIECES || refused);
#else
  finished == PIECES;
#endif
  d_step {
    if
#ifndef TRUST_COUNT
    :: refused
#endif
    :: else ->
       assert(copied[0] == 1);
       assert(copied[1] == 1)
    fi
  }
}

active proctype Sender() {
  byte message = 1;
  byte mine;
  bit won;
  do
  :: message > MESSAGES -> break
  :: message <= MESSAGES ->
     d_step {
       offer_of = message;
       claimed = 0;
       finished = 0;
       refused = 0;
       copied[0] = 0;
       copied[1] = 0
     };
     state = offered;
     records ! message;
     won = 0;
     if
     :: change(withdrawn, won) /* the program cancels */
     :: skip
     fi;
     if
     :: won ->
        assert(state == withdrawn || state == received);
#ifndef REUSE_WITHDRAWN
        state == received
#endif
     :: else ->
        (state == copying || state == streaming || state == received);
        if
        :: state == copying ->
           copy_pieces();
#ifndef REUSE_COPIED
           (state == received || state == streaming)
#endif
        :: state == streaming
        :: state == received
        fi
     fi;
     message++
  od
}

active proctype Receiver() {
  byte message, mine;
  bit won;
  do
  :: message == MESSAGES -> break
  :: message < MESSAGES ->
     records ? message;
     change(taken, won);
     if
     :: won ->
        assert(offer_of == message);
        if
        :: state = copying;
           copy_pieces();
           if
           :: refused ->
              assert(at_work == 0);
              state = streaming
           :: else -> state = received
           fi
        :: state = streaming
        :: state = received
        fi
     :: else -> state = received /* it was withdrawn, and this was the last look */
     fi;
     won = 0
  od
}
