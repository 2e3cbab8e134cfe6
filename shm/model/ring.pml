/* One ring with the doorbells of both its ends (shm/ring.h, shm/doorbell.h), on a machine where
   every process has a store buffer.

   A store enters the buffer of its process and reaches memory later; a fence empties the buffer.
   That is x86; with -DWEAK a store may also overtake earlier stores unless it is a release, as on
   Arm. Loads read memory, because no process here loads a word that it stores itself.

   The sender publishes PACKETS packets and sleeps while the ring is full; the receiver reads them
   and sleeps while it is empty. Checked: every packet is read as it was written (assertions), and
   no process sleeps forever (no invalid end state).

   -DSYMMETRIC: both sides execute a fence; otherwise only the sleeper does, with membarrier.
   -DALONE: membarrier is refused to the receiver, which executes a fence itself when it wakes the
   sender, and sleeps only for a limited time.
   Each of these leaves out a step, and Spin must detect it (model_test.sh):
     NO_WAKER_FENCE NO_SLEEPER_FENCE NO_MEMBARRIER NO_SECOND_LOOK NO_RING
     PUBLISH_EARLY HAND_BACK_EARLY, with WEAK also RELAXED_TURN RELAXED_PEEK,
     with ALONE also NO_LIMIT */

#define SLOTS 2
#define PACKETS 5
#define DEPTH 4 /* of a store buffer */

#define SENDER 0
#define RECEIVER 1

/* Addresses. */
#define TURN(position) ((position) % SLOTS)
#define BYTES(position) (SLOTS + (position) % SLOTS)
#define CONSUMED (2 * SLOTS)
#define BELL(owner) (2 * SLOTS + 1 + (owner))
#define WORDS (2 * SLOTS + 3)

#define turn_at(position) ((position) / SLOTS + 1)

byte memory[WORDS];
bit asleep[2]; /* in the futex call */

typedef Buffer {
  byte length;
  byte address[DEPTH]; /* oldest store first */
  byte value[DEPTH];
  bit release[DEPTH];
};
Buffer buffer[2];

/* The owner of a doorbell sets and clears its lowest bit with fetch_or and fetch_and, which may be
   delayed like any store; all other words are stored as they are. */
inline apply(p, i) {
  if
  :: buffer[p].address[i] >= BELL(0) ->
     memory[buffer[p].address[i]] = (memory[buffer[p].address[i]] & 254) | buffer[p].value[i]
  :: else -> memory[buffer[p].address[i]] = buffer[p].value[i]
  fi
}

inline flush(p, i) {
  apply(p, i);
  k = i;
  do
  :: k + 1 < buffer[p].length ->
     buffer[p].address[k] = buffer[p].address[k + 1];
     buffer[p].value[k] = buffer[p].value[k + 1];
     buffer[p].release[k] = buffer[p].release[k + 1];
     k++
  :: else -> break
  od;
  buffer[p].address[k] = 0;
  buffer[p].value[k] = 0;
  buffer[p].release[k] = 0;
  buffer[p].length--;
  k = 0
}

inline full_fence(p) {
  d_step {
    do
    :: buffer[p].length > 0 -> flush(p, 0)
    :: else -> break
    od
  }
}

inline store(p, where, what, is_release) {
  atomic {
    buffer[p].length < DEPTH;
    buffer[p].address[buffer[p].length] = where;
    buffer[p].value[buffer[p].length] = what;
    buffer[p].release[buffer[p].length] = is_release;
    buffer[p].length++
  }
}

#define differs(p, i, j) (j >= i || buffer[p].address[j] != buffer[p].address[i])
#ifdef WEAK
#define may_overtake(p, i) \
  (!buffer[p].release[i] && differs(p, i, 0) && differs(p, i, 1) && differs(p, i, 2))
#else
#define may_overtake(p, i) false
#endif
#define can_flush(p, i) (buffer[p].length > i && (i == 0 || may_overtake(p, i)))

proctype Memory(byte p) {
  byte k;
end:
  do
  :: d_step { can_flush(p, 0) -> flush(p, 0) }
  :: d_step { can_flush(p, 1) -> flush(p, 1) }
  :: d_step { can_flush(p, 2) -> flush(p, 2) }
  :: d_step { can_flush(p, 3) -> flush(p, 3) }
  od
}

/* --- the doorbell --- */

#ifdef ALONE
#define alone(p) ((p) == RECEIVER)
#else
#define alone(p) false
#endif

inline waker_fence(me) {
#if defined(SYMMETRIC) && !defined(NO_WAKER_FENCE)
  full_fence(me)
#elif defined(ALONE) && !defined(NO_WAKER_FENCE)
  if
  :: alone(me) -> full_fence(me)
  :: else /* the compiler's barrier only */
  fi
#else
  skip /* the compiler's barrier only */
#endif
}

inline sleeper_fence(me) {
#ifndef NO_SLEEPER_FENCE
  full_fence(me);
#endif
#if !defined(SYMMETRIC) && !defined(NO_MEMBARRIER)
  if
  :: alone(me) /* membarrier is refused */
  :: !alone(me) ->
     full_fence(me);
     if /* membarrier: every running registered process executes a fence */
     :: alone(1 - me)
     :: !alone(1 - me) -> full_fence(1 - me)
     fi;
     full_fence(me)
  fi;
#endif
  skip
}

#define bell_pending(p) \
  ((buffer[p].length > 0 && buffer[p].address[0] == BELL(p)) || \
   (buffer[p].length > 1 && buffer[p].address[1] == BELL(p)) || \
   (buffer[p].length > 2 && buffer[p].address[2] == BELL(p)) || \
   (buffer[p].length > 3 && buffer[p].address[3] == BELL(p)))

/* An atomic operation sees the previous one on the same word. */
inline announce(me) {
  atomic { !bell_pending(me) -> announcement = memory[BELL(me)] | 1 };
  store(me, BELL(me), 1, 0)
}

inline withdraw(me) { store(me, BELL(me), 0, 0) }

#define here (memory[TURN(next)] == turn_at(next)) /* the receiver's next packet */

/* The futex call is a fence, and compares and sleeps in one step. */
inline sleep(me) {
  full_fence(me);
  atomic {
    if
    :: memory[BELL(me)] == announcement -> asleep[me] = 1
    :: else
    fi
  };
  if
  :: asleep[me] == 0
#ifndef NO_LIMIT
  :: alone(me) && here -> asleep[me] = 0 /* the timeout; otherwise it sleeps again */
#endif
  fi
}

inline ring(me) {
  if
  :: (memory[BELL(1 - me)] & 1) ->
     full_fence(me); /* the compare-exchange */
     word = memory[BELL(1 - me)];
     atomic {
       if
       :: (word & 1) && memory[BELL(1 - me)] == word -> memory[BELL(1 - me)] = word + 1
       :: else -> word = 0
       fi
     };
     if
     :: (word & 1) -> asleep[1 - me] = 0
     :: else
     fi;
     word = 0
  :: else
  fi
}

/* --- the two ends --- */

#define has_space (next - consumed < SLOTS)

inline publish() {
#ifdef PUBLISH_EARLY
  store(SENDER, TURN(next), turn_at(next), 1);
  store(SENDER, BYTES(next), next + 1, 0);
#else
  store(SENDER, BYTES(next), next + 1, 0);
#ifdef RELAXED_TURN
  store(SENDER, TURN(next), turn_at(next), 0);
#else
  store(SENDER, TURN(next), turn_at(next), 1);
#endif
#endif
  next++
}

proctype Sender() {
  byte next, consumed, announcement, word, k;
  do
  :: next == PACKETS -> break
  :: next < PACKETS && has_space ->
     publish();
     waker_fence(SENDER);
     ring(SENDER)
  :: next < PACKETS && !has_space ->
     consumed = memory[CONSUMED];
     if
     :: has_space
     :: else ->
        announce(SENDER);
        sleeper_fence(SENDER);
#ifndef NO_SECOND_LOOK
        consumed = memory[CONSUMED];
#endif
        if
        :: has_space
        :: else -> sleep(SENDER)
        fi;
        withdraw(SENDER)
     fi
  od
}

/* Half a lap is returned at a time, so that the sender finds the ring full. */
#define HAND_BACK (SLOTS / 2)

inline hand_back() { store(RECEIVER, CONSUMED, next + 1, 1) }

inline consume() {
#ifdef HAND_BACK_EARLY
  hand_back();
#endif
#ifndef RELAXED_PEEK
  bytes = memory[BYTES(next)];
#endif
  assert(bytes == next + 1);
  bytes = 0;
  if
  :: (next + 1) % HAND_BACK == 0 ->
#ifndef HAND_BACK_EARLY
     hand_back();
#endif
     waker_fence(RECEIVER);
#ifndef NO_RING
     ring(RECEIVER)
#endif
  :: else
  fi;
  next++
}

proctype Receiver() {
  byte next, bytes, announcement, word, k;
  do
  :: next == PACKETS -> break
  :: next < PACKETS ->
#ifdef RELAXED_PEEK
     bytes = memory[BYTES(next)];
#endif
     if
     :: here -> consume()
     :: else ->
        announce(RECEIVER);
        sleeper_fence(RECEIVER);
        if
#ifndef NO_SECOND_LOOK
        :: here
#endif
        :: else -> sleep(RECEIVER)
        fi;
        withdraw(RECEIVER)
     fi
  od
}

init {
  atomic {
    run Memory(SENDER);
    run Memory(RECEIVER);
    run Sender();
    run Receiver()
  }
}
