/* One rendezvous record (shm/rendezvous.h), used for several messages in turn. `packets` is the
   ring, of which only the message's number matters.

   The sender sends an RTS and may cancel the message. The receiver matches the message that the
   packet names and replies: both sides copy, or the sender sends the message through the ring, or
   the message is received at once. The system may refuse a copy; then the receiver asks for the
   message through the ring when all fragments are counted. Checked by assertions: a matched record
   belongs to the packet that was read; match and cancel never both succeed; no fragment is copied
   twice or lies beyond the end; a side that sees all fragments counted and none refused finds all
   copied; no side copies any more when the receiver asks for the message through the ring. Also
   checked: no process waits forever (no invalid end state).

   Each of these changes breaks the protocol, and Spin must detect it (model_test.sh):
     NO_CAS            the state is changed by a load and a store
     NO_BOUND          the claimed number is not compared with the count again
     COUNT_EARLY       a fragment is counted before it is copied
     REUSE_CANCELLED   the sender reuses the record of a message that it has cancelled
     REUSE_COPIED      the sender reuses a record when it sees all fragments counted
     TRUST_COUNT       a side that sees all counted does not check whether a copy was refused
     STREAM_EARLY      the receiver asks for the message as soon as a copy is refused */

#define MESSAGES 3
#define FRAGMENTS 2

mtype = { idle, rts_sent, cancelled, matched, single_copy, pipelined, received };

mtype state = idle;
byte message_of;         /* the message, as the packet would name it */
byte claimed, finished;  /* fragments */
byte copied[FRAGMENTS];  /* how often each fragment */
bit refused;             /* the system has refused a copy */
byte at_work;            /* sides that are copying a fragment */
chan packets = [MESSAGES] of { byte };

inline change(to, won) {
#ifdef NO_CAS
  won = (state == rts_sent);
  if
  :: won -> state = to
  :: else
  fi
#else
  atomic {
    won = (state == rts_sent);
    if
    :: won -> state = to
    :: else
    fi
  }
#endif
}

/* Both sides execute this. */
inline copy_fragments() {
  do
  :: claimed >= FRAGMENTS -> break
  :: else ->
     atomic { mine = claimed; claimed++ };
     if
#ifndef NO_BOUND
     :: mine >= FRAGMENTS -> break
#endif
     :: else ->
        assert(mine < FRAGMENTS);
#ifdef COUNT_EARLY
        finished++;
#endif
        if
        :: refused -> skip /* counted without a copy */
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
  (finished == FRAGMENTS || refused);
#else
  finished == FRAGMENTS;
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
       message_of = message;
       claimed = 0;
       finished = 0;
       refused = 0;
       copied[0] = 0;
       copied[1] = 0
     };
     state = rts_sent;
     packets ! message;
     won = 0;
     if
     :: change(cancelled, won) /* the program cancels */
     :: skip
     fi;
     if
     :: won ->
        assert(state == cancelled || state == received);
#ifndef REUSE_CANCELLED
        state == received
#endif
     :: else ->
        (state == single_copy || state == pipelined || state == received);
        if
        :: state == single_copy ->
           copy_fragments();
#ifndef REUSE_COPIED
           (state == received || state == pipelined)
#endif
        :: state == pipelined
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
     packets ? message;
     change(matched, won);
     if
     :: won ->
        assert(message_of == message);
        if
        :: state = single_copy;
           copy_fragments();
           if
           :: refused ->
              assert(at_work == 0);
              state = pipelined
           :: else -> state = received
           fi
        :: state = pipelined
        :: state = received
        fi
     :: else -> state = received /* it was cancelled; the last access */
     fi;
     won = 0
  od
}
