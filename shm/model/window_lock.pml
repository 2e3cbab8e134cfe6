/* The lock of one target of a window (shm/window_lock.h), with the doorbells of its waiters.

   Each member locks once, shared or exclusive at random; one that waits may leave the queue.
   A member's store of its ticket may be delayed: a fence or an atomic operation of that member makes
   it visible. Fences are those of FenceMode::symmetric, the weaker mode. The lock's word is one value,
   so that a compare-exchange may succeed although the word has changed in between.

   Checked by assertions: nobody is inside together with an exclusive holder; no waiter acquires
   before another whose lower ticket it could see; the queue is bypassed at most MOST_BYPASSED times
   in a row; the fields of the queue are 0 when nobody waits. Also checked: no member sleeps
   forever (no invalid end state).

   -DTWICE: two writers and a reader lock twice.
   -DMEET: the lock is held exclusively first; then two readers, which unlock only when both are inside.
   -DDEATH: two writers and a reader; the first may die at any step. Afterwards all doorbells are rung,
   and one of the others calls forget() once.
   To limit the number of states, a member reads all tickets in one step with TWICE and DEATH, no store
   is delayed, no waiter leaves, and a waiter always announces before it polls.

   Each of these changes breaks the protocol, and Spin must detect it (model_test.sh):
     TWO_STEPS      an unlock frees the lock and clears the bit `ring` in two steps
     NO_BIT         a waiter does not set the bit before its last poll
     BIT_LATE       ... but after it
     BIT_EARLY      ... but before it announces that it sleeps
     NO_BIT_BEHIND  a front that acquires does not set the bit for those behind it
     QUIET_LEAVE    a waiter that leaves does not ring the front
     ANY_WAITER     not only the front may acquire
     NO_COMPARE     a front that acquires does not compare the word with what it has read
   with TWICE:
     NO_LIMIT       the queue may be bypassed without limit
     LIMIT_RESET    bypassing the queue resets the count
   with MEET:
     NO_CHAIN       a shared front does not ring the next one
     NO_CHAIN_FENCE ... or does not execute a fence before it looks for the next one
     COUNT_BEFORE   ... or only if others waited when it acquired
   with DEATH:
     QUIET_FORGET   forget() does not ring the front
     KEEP_TICKET    forget() does not clear the ticket
     FORGET_COUNT   forget() decrements the number of waiters */

#define MEMBERS 3
#define MOST_BYPASSED 1
#ifdef TWICE
#define ROUNDS 2
#else
#define ROUNDS 1
#endif
#if defined(TWICE) || defined(DEATH)
#define SIMPLE /* to limit the number of states */
#define LEAVES 0
#elif defined(MEET)
#define LEAVES 0
#else
#define LEAVES 1
#endif
#define NOBODY 7

#define SHARED 0
#define EXCLUSIVE 1

/* The fields of the word. */
#define ONE_SHARED 1
#define ONE_WAITER 8
#define ONE_OWNER 64
#define ONE_BYPASSED 512
#define RING 4096
#define shared_of(s) ((s) & 7)
#define waiters_of(s) (((s) / ONE_WAITER) & 7)
#define owner_of(s) (((s) / ONE_OWNER) & 7)
#define bypassed_of(s) (((s) / ONE_BYPASSED) & 7)
#define is_free(s) (shared_of(s) == 0 && owner_of(s) == 0)
#define is_free_for(type, s) (owner_of(s) == 0 && (type == SHARED || shared_of(s) == 0))
#ifdef NO_COMPARE
#define no_compare true
#else
#define no_compare false
#endif
#ifdef NO_LIMIT
#define may_bypass(s) true
#else
#define may_bypass(s) (waiters_of(s) == 0 || bypassed_of(s) < MOST_BYPASSED)
#endif
#define hold(type) (type == EXCLUSIVE -> (me + 1) * ONE_OWNER : ONE_SHARED)

short state;
byte next_ticket;
byte ticket[MEMBERS]; /* 0: does not wait */
bit bell[MEMBERS];    /* announced */
bit asleep[MEMBERS];
bit dead;             /* member 0 */
bit forgotten;

/* A delayed store of a ticket. */
bit delayed[MEMBERS];
byte delayed_value[MEMBERS];

/* For the assertions. */
byte inside_shared, inside_exclusive;
bit has_exclusive[MEMBERS];
byte bypasses;

inline flush(p) {
  if
  :: delayed[p] -> ticket[p] = delayed_value[p]; delayed[p] = 0; delayed_value[p] = 0
  :: else
  fi
}

inline store_ticket(value) {
#ifdef SIMPLE
  ticket[me] = value
#else
  d_step { flush(me); delayed[me] = 1; delayed_value[me] = value }
#endif
}

inline fence() { d_step { flush(me) } }

active proctype Memory() {
end:
  do
  :: d_step { delayed[0] -> flush(0) }
  :: d_step { delayed[1] -> flush(1) }
  :: d_step { delayed[2] -> flush(2) }
  od
}

inline ring(p) {
  d_step {
    if
    :: p != NOBODY && bell[p] -> bell[p] = 0; asleep[p] = 0
    :: else
    fi;
    p = NOBODY
  }
}

/* A member sees its own delayed store. */
#define ticket_seen(p) (p == me && delayed[p] -> delayed_value[p] : ticket[p])

/* Reads one ticket after the other; with SIMPLE in one step. */
inline look_at(p) {
  if
  :: ticket_seen(p) != 0 && (front == NOBODY || ticket_seen(p) < lowest) ->
     front = p;
     lowest = ticket_seen(p)
  :: else
  fi
}
inline find_front() {
#ifdef SIMPLE
  d_step { front = NOBODY; look_at(0); look_at(1); look_at(2); lowest = 0 }
#else
  d_step { front = NOBODY; look_at(0) };
  d_step { look_at(1) };
  d_step { look_at(2); lowest = 0 }
#endif
}

inline came_in() {
  if
  :: type == EXCLUSIVE ->
     assert(inside_shared == 0 && inside_exclusive == 0);
     inside_exclusive++;
     has_exclusive[me] = 1
  :: else ->
     assert(inside_exclusive == 0);
     inside_shared++
  fi
}

inline goes_out() {
  if
  :: type == EXCLUSIVE -> inside_exclusive--; has_exclusive[me] = 0
  :: else -> inside_shared--
  fi
}

inline queue_is_clean() {
  assert(waiters_of(state) != 0 || (bypassed_of(state) == 0 && (state & RING) == 0))
}

/* Sets `locked`. The loop of compare-exchanges is one step. */
inline try_lock() {
  d_step {
    flush(me);
    if
    :: is_free_for(type, state) && may_bypass(state) ->
       if
       :: waiters_of(state) != 0 ->
          bypasses++;
          assert(bypasses <= MOST_BYPASSED);
#ifdef LIMIT_RESET
          state = state & ~(7 * ONE_BYPASSED);
#elif !defined(NO_LIMIT)
          state = state + ONE_BYPASSED;
#endif
       :: else -> bypasses = 0
       fi;
       state = state + hold(type);
       came_in();
       locked = 1
    :: else
    fi
  }
}

inline remove_waiter() {
  next = next - ONE_WAITER;
  if
  :: waiters_of(next) == 0 -> next = next & ~(7 * ONE_BYPASSED | RING); bypasses = 0
  :: else
  fi
}

/* Bit p: member p waits with a lower ticket, as anybody could see when this poll began. */
#define is_older(p) (ticket[p] != 0 && ticket[p] < mine)
#define all_older() (is_older(0) + 2 * is_older(1) + 4 * is_older(2))

inline overtakes_none() {
  assert((older & 1) == 0 || !is_older(0));
  assert((older & 2) == 0 || !is_older(1));
  assert((older & 4) == 0 || !is_older(2))
}

inline set_bit() { d_step { flush(me); state = state | RING } }

/* A poll: sets `locked`. */
inline attempt() {
  d_step { found = state; older = all_older() };
  do
  :: !is_free_for(type, found) -> break
  :: else ->
     find_front();
     if
#ifndef ANY_WAITER
     :: front != me -> break
#endif
     :: else ->
        d_step {
          flush(me);
          if
          :: state == found || no_compare ->
             next = found + hold(type);
             remove_waiter();
             next = next & ~(7 * ONE_BYPASSED);
             bypasses = 0;
#ifndef NO_BIT_BEHIND
             if
             :: waiters_of(next) != 0 -> next = next | RING
             :: else
             fi;
#endif
             state = next;
             overtakes_none();
             came_in();
             queue_is_clean();
             locked = 1
          :: else -> found = state; older = all_older()
          fi
        };
        if
        :: locked -> break
        :: else
        fi
     fi
  od;
  atomic { found = 0; older = 0; front = NOBODY };
  if
  :: locked ->
     store_ticket(0);
     if
     :: type == SHARED ->
#ifndef NO_CHAIN_FENCE
        fence();
#endif
#ifdef COUNT_BEFORE
        if
        :: waiters_of(next) != 0 -> find_front(); ring(front)
        :: else
        fi
#elif !defined(NO_CHAIN)
        if
        :: waiters_of(state) != 0 -> find_front(); ring(front)
        :: else
        fi
#endif
     :: else
     fi
  :: else
  fi;
  next = 0
}

inline leave() {
  store_ticket(0);
  d_step {
    flush(me);
    next = state;
    remove_waiter();
    state = next;
    next = 0;
    queue_is_clean()
  };
#ifndef QUIET_LEAVE
  find_front();
  ring(front)
#endif
}

inline forget() {
#ifndef KEEP_TICKET
  d_step { flush(me); ticket[0] = 0 }; /* store and the fence below */
#endif
  d_step {
    flush(me);
    if
    :: owner_of(state) == 1 -> state = state - ONE_OWNER
    :: else
    fi;
#ifdef FORGET_COUNT
    if
    :: waiters_of(state) != 0 -> next = state; remove_waiter(); state = next; next = 0
    :: else
    fi;
#endif
  };
#ifndef QUIET_FORGET
  find_front();
  ring(front)
#endif
}

inline enqueue() {
#ifdef TWICE
  d_step { next_ticket++; mine = next_ticket; state = state + ONE_WAITER; ticket[me] = mine }
#else
  d_step { flush(me); next_ticket++; mine = next_ticket };
  d_step { flush(me); state = state + ONE_WAITER };
  store_ticket(mine)
#endif
}

inline wait_as_waiter() {
  do
  :: locked || gone -> break
  :: else ->
#ifndef SIMPLE
     attempt();
#endif
     if
     :: locked
     :: !locked && leaves > 0 -> leave(); leaves = 0; gone = 1
     :: !locked ->
#ifdef BIT_EARLY
        set_bit();
#endif
        d_step { bell[me] = 1; flush(me) }; /* and sleeper_fence() */
#if !defined(NO_BIT) && !defined(BIT_EARLY) && !defined(BIT_LATE)
        set_bit();
#endif
#ifdef DEATH
        if
        :: atomic { dead && !forgotten -> forgotten = 1 }; forget()
        :: else
        fi;
#endif
        attempt();
#ifdef BIT_LATE
        set_bit();
#endif
        if
        :: locked
        :: else ->
           atomic {
             if
             :: bell[me] -> asleep[me] = 1
             :: else
             fi
           };
           asleep[me] == 0
        fi;
        bell[me] = 0
     fi
  od;
  mine = 0
}

inline unlock() {
#ifdef TWO_STEPS
  d_step {
    flush(me);
    goes_out();
    state = state - hold(type);
    rings = is_free(state) && (state & RING) != 0
  };
  if
  :: rings -> d_step { flush(me); state = state & ~RING }
  :: else
  fi;
#else
  d_step {
    flush(me);
    goes_out();
    state = state - hold(type);
    rings = is_free(state) && (state & RING) != 0;
    if
    :: rings -> state = state & ~RING
    :: else
    fi;
    queue_is_clean()
  };
#endif
  if
  :: rings -> rings = 0; find_front(); ring(front)
  :: else
  fi
}

inline live() {
  do
  :: round == ROUNDS -> break
  :: else ->
     if
#ifdef SIMPLE
     :: me == 2 -> type = SHARED
     :: me != 2 -> type = EXCLUSIVE
#elif defined(MEET)
     :: type = SHARED
#else
     :: type = EXCLUSIVE
     :: type = SHARED
#endif
     fi;
     try_lock();
     if
     :: locked
     :: else -> enqueue(); wait_as_waiter()
     fi;
     if
     :: locked ->
        locked = 0;
#ifdef MEET
        inside_shared == 2;
        break;
#endif
        unlock()
     :: else
     fi;
     gone = 0;
     type = 0;
     round++
  od
}

proctype Member(byte me) {
  byte round, type, mine, lowest, older;
  byte leaves = LEAVES; /* how often it may leave the queue */
  byte front = NOBODY;
  short found, next;
  bit locked, gone, rings;
#if defined(MEET)
  if
  :: me == 0 -> type = EXCLUSIVE; unlock()
  :: else -> live()
  fi
#elif defined(DEATH)
  if
  :: me == 0 -> { live() } unless { dead }
  :: else -> live()
  fi
#else
  live()
#endif
}

#ifdef DEATH
proctype Death() {
  byte p;
  d_step {
    dead = 1;
    if
    :: has_exclusive[0] -> inside_exclusive--; has_exclusive[0] = 0
    :: else
    fi
  };
  p = 1;
  ring(p);
  p = 2;
  ring(p)
}
#endif

init {
  atomic {
#ifdef MEET
    state = ONE_OWNER;
    inside_exclusive = 1;
#endif
    run Member(0);
    run Member(1);
    run Member(2);
#ifdef DEATH
    run Death()
#endif
  }
}
