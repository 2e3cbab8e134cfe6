/* The guard of accumulates to one target (shm/accumulate_guard.h), on a machine where every process
   has a store buffer, as in ring.pml: a store reaches memory later, a fence or an atomic operation
   empties the buffer. With -DWEAK a store may also overtake earlier stores unless it is a release,
   and the atomic instructions on the data wait in the buffer like stores.

   Each member executes OPERATIONS operations, small or bulk at random. Each adds 1 to the data: a
   small one in mode small by an atomic addition, all others by a load and a store. Checked by
   assertions: no addition is lost, so that no small operation overlaps with a bulk one; at most one
   member holds the guard. Also checked: no member waits forever (no invalid end state).

   -DSYMMETRIC: both sides execute a fence; otherwise only the claimant does, with membarrier.
   -DDEATH: a member may die when it has claimed the guard, before it has seen the marks.

   Each of these changes breaks the protocol, and Spin must detect it (model_test.sh):
     NO_MEMBARRIER   the claimant's fence reaches only its own stores
     FENCE_EARLY     the claimant executes the fence before it stores the mode
     NO_REVOCATION   it does not wait for the marks
     MARK_LATE       a member sets its mark after it has checked the mode
     CLEAR_EARLY     a member clears its mark before its operation
     KEEP_MARK       a member that finds the mode locked keeps its mark while it waits
     BACK_EARLY      the mode becomes small again before the operation that causes it
   with SYMMETRIC:
     NO_WAKER_FENCE  a member executes no fence between mark and check
   with WEAK:
     RELAXED_CLEAR   the store that clears the mark is not a release
     RELAXED_RELEASE the store that releases the guard is not a release
   with DEATH:
     TRUST_DEAD      a member that takes over does not wait for the marks */

#define MEMBERS 3
#define OPERATIONS 2
#if defined(WEAK) || defined(DEATH)
#define may_be_small (me < 2) /* to limit the number of states */
#define may_be_bulk (me > 0)
#else
#define may_be_small true
#define may_be_bulk true
#endif
#define DEPTH 4     /* of a store buffer */

/* Addresses. */
#define MARK(p) (p)
#define WORD MEMBERS
#define DATA (MEMBERS + 1)
#define WORDS (MEMBERS + 2)

/* The word. */
#define SMALL_MODE 0
#define LOCKED 8
#define holder_of(word) ((word) & 7)

byte memory[WORDS];
byte additions;  /* completed, for the assertion */
byte holders;
byte ended;
bit dead[MEMBERS];

typedef Buffer {
  byte length;
  byte address[DEPTH]; /* oldest store first */
  byte value[DEPTH];
  bit release[DEPTH];
};
Buffer buffer[MEMBERS];

/* Of a delayed atomic instruction on the data; a plain store never has this value. */
#define ADD 255

inline flush(p, i) {
  if
  :: buffer[p].value[i] == ADD -> memory[DATA] = memory[DATA] + 1
  :: else -> memory[buffer[p].address[i]] = buffer[p].value[i]
  fi;
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

inline flush_all(p) {
  do
  :: buffer[p].length > 0 -> flush(p, 0)
  :: else -> break
  od
}

inline full_fence(p) { d_step { flush_all(p) } }

inline store(where, what, is_release) {
  atomic {
    buffer[me].length < DEPTH;
    buffer[me].address[buffer[me].length] = where;
    buffer[me].value[buffer[me].length] = what;
    buffer[me].release[buffer[me].length] = is_release;
    buffer[me].length++
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
#ifdef WEAK
  :: d_step { can_flush(p, 1) -> flush(p, 1) }
  :: d_step { can_flush(p, 2) -> flush(p, 2) }
  :: d_step { can_flush(p, 3) -> flush(p, 3) }
#endif
  od
}

#define is_pending(where) \
  ((buffer[me].length > 0 && buffer[me].address[0] == where) || \
   (buffer[me].length > 1 && buffer[me].address[1] == where) || \
   (buffer[me].length > 2 && buffer[me].address[2] == where) || \
   (buffer[me].length > 3 && buffer[me].address[3] == where))

/* A member sees its own stores; here it waits until they are in memory. */
inline load(where, to) { atomic { !is_pending(where) -> to = memory[where] } }

/* --- a small operation in mode small --- */

inline waker_fence() {
#if defined(SYMMETRIC) && !defined(NO_WAKER_FENCE)
  full_fence(me)
#else
  skip /* the compiler's barrier only */
#endif
}

inline clear_mark() {
#ifdef RELAXED_CLEAR
  store(MARK(me), 0, 0)
#else
  store(MARK(me), 0, 1)
#endif
}

inline add_atomically() {
#ifdef WEAK
  store(DATA, ADD, 0)
#else
  d_step { flush_all(me); memory[DATA] = memory[DATA] + 1 }
#endif
}

/* Sets `done` if the mode was small. */
inline try_small() {
#ifndef MARK_LATE
  store(MARK(me), 1, 0);
  waker_fence();
#endif
  load(WORD, word);
#ifdef MARK_LATE
  store(MARK(me), 1, 0);
  waker_fence();
#endif
  if
  :: word == SMALL_MODE ->
#ifdef CLEAR_EARLY
     clear_mark();
#endif
     add_atomically();
#ifndef CLEAR_EARLY
     clear_mark();
#endif
     additions++;
     done = 1
  :: else ->
#ifndef KEEP_MARK
     clear_mark()
#endif
  fi;
  word = 0
}

/* --- any operation in mode locked --- */

inline sleeper_fence() {
#if defined(SYMMETRIC) || defined(NO_MEMBARRIER)
  full_fence(me)
#else
  full_fence(me); /* membarrier: every running process executes a fence */
  full_fence(0);
  full_fence(1);
  full_fence(2);
  full_fence(me)
#endif
}

inline revoke() {
#ifndef FENCE_EARLY
  sleeper_fence();
#endif
#ifndef NO_REVOCATION
  memory[MARK(0)] == 0;
  memory[MARK(1)] == 0;
  memory[MARK(2)] == 0;
#endif
  skip
}

inline takes_it(old) {
  memory[WORD] = (old & ~7) | LOCKED | (me + 1);
  holders++;
  assert(holders == 1);
  claimed = 1
}

/* Waits until nobody holds the guard. Sets `claimed`, and `revokes` if it changed the mode; neither
   when a small operation finds the mode small again. */
inline claim() {
#ifdef FENCE_EARLY
  sleeper_fence();
#endif
  atomic {
    (!is_pending(WORD) && (holder_of(memory[WORD]) == 0 || dead[holder_of(memory[WORD]) - 1]));
    d_step {
      flush_all(me);
      word = memory[WORD];
      if
      :: holder_of(word) != 0 -> takes_it(word); revokes = 1
      :: holder_of(word) == 0 && word == SMALL_MODE && is_small
      :: holder_of(word) == 0 && word == SMALL_MODE && !is_small -> takes_it(word); revokes = 1
      :: else -> takes_it(word)
      fi
    }
  };
#ifdef TRUST_DEAD
  if
  :: holder_of(word) != 0 -> revokes = 0
  :: else
  fi;
#endif
  word = 0
}

inline release_guard() {
  atomic {
    holders--;
    if
    :: is_small -> word = SMALL_MODE /* as if kSmallRun were 1 */
    :: else -> word = LOCKED
    fi
  };
#ifdef RELAXED_RELEASE
  store(WORD, word, 0);
#else
  store(WORD, word, 1);
#endif
  word = 0
}

inline add_plainly() {
  load(DATA, old);
  store(DATA, old + 1, 0);
  additions++;
  old = 0
}

inline locked_operation() {
  claim();
#ifdef DEATH
  if
  :: claimed -> d_step { flush_all(me); holders--; dead[me] = 1; ends = 1; claimed = 0; done = 1 }
  :: skip
  fi;
#endif
  if
  :: claimed && revokes -> revoke()
  :: else
  fi;
  if
  :: claimed ->
#ifdef BACK_EARLY
     release_guard();
     add_plainly();
#else
     add_plainly();
     release_guard();
#endif
     done = 1
  :: else
  fi;
  claimed = 0;
  revokes = 0
}

proctype Member(byte me) {
  byte number, word, old, k;
  bit is_small, done, claimed, revokes, ends;
  do
  :: number == OPERATIONS || ends -> break
  :: else ->
     if
     :: may_be_bulk -> is_small = 0
     :: may_be_small -> is_small = 1
     fi;
     do
     :: done -> break
     :: else ->
        if
        :: is_small -> try_small()
        :: else
        fi;
        if
        :: done
        :: else -> locked_operation()
        fi
     od;
     done = 0;
     number++
  od;
  full_fence(me);
  atomic {
    ended++;
    assert(ended < MEMBERS || memory[DATA] == additions)
  }
}

init {
  atomic {
    run Memory(0);
    run Memory(1);
    run Memory(2);
    run Member(0);
    run Member(1);
    run Member(2)
  }
}
