/* The collective buffer of a communicator (shm/collective_buffer.h) and the rounds of its
   collectives (runtime/coll): reuse of entries and slots, releases that a rank need not publish,
   the last arrival that wakes all, waiting for free space, and calls that do not match.

   All ranks execute the same operations, chosen at random: one round, in which all ranks wait for
   all, one waits for all, or all wait for one; slots, published one round ahead; parts, two rounds
   for each slot; a stream of slots from one rank, which waits only for free space. Every entry and
   slot that is written contains the number of its round. Checked: data that is read belongs to the
   round (assertions), and no rank sleeps forever (no invalid end state).

   The last store of a rank (published, released) may be delayed, which matters for the loads of
   doorbells and of `wanted` after it; a sleeper's membarrier makes it visible.

   -DSHARED: ranks share cores, so that arrivals are counted and the last one rings.
   -DMISMATCH: each rank calls one operation of its own choice. Checked: no rank reads data that was
   published in another call; when the calls differ and all ranks wait for all in one of them, some
   rank gets an error; and no rank sleeps forever.

   Each of these changes breaks the protocol, and Spin must detect it (model_test.sh):
     PUBLISH_EARLY     an entry is published before it is written
     RELEASE_EARLY     a rank releases a round before it has read
     SPACE_OF_ENTRIES  a free entry is mistaken for a free slot
     KNOWN_TOO_MUCH    a rank that published a round is assumed to have read that round already
     UNPUBLISHED       a rank does not publish its releases
     NO_WANTED         no rank announces that it waits for free space
     NO_SPACE_LOOK     no check of the releases after that announcement
     NO_SPACE_FENCE    no fence between the announcement and the check
     NO_RING           the last arrival rings no doorbells
     SLOTS=3           with one round unpublished, three slots per rank are not enough for parts
   and with MISMATCH:
     NO_ALARM          a rank that detects a mismatch does not tell the others
     GO_ON             a rank that waits for long does not check the calls of the others */

#ifndef RANKS
#define RANKS 2
#endif
#ifndef SLOTS
#define SLOTS 4
#endif
#define ENTRIES (SLOTS + 1)
#define START 1 /* all have released round 0 and published that */
#ifdef MISMATCH
#define OPERATIONS 1
#else
#define OPERATIONS 2
#endif
#define LONG 2 /* slots in a long operation; a stream is longer than there are slots */

mtype = { all_to_all, all_to_root, root_to_all, slots, parts, stream };

typedef Member {
  byte published[ENTRIES]; /* number of the round, plus one */
  byte what[ENTRIES];   /* the call */
  byte entry[ENTRIES];
  byte slot[SLOTS];
  byte released
};
Member member[RANKS];
byte arrivals[ENTRIES];
byte wanted;

bit bell[RANKS];
bit asleep[RANKS];

/* A delayed store. */
mtype = { none, of_published, of_released };
mtype delayed[RANKS] = none;
byte delayed_value[RANKS];

inline flush(p) {
  if
  :: delayed[p] == of_published ->
     member[p].published[(delayed_value[p] - 1) % ENTRIES] = delayed_value[p]
  :: delayed[p] == of_released -> member[p].released = delayed_value[p]
  :: else
  fi;
  delayed[p] = none;
  delayed_value[p] = 0
}

/* Delays a store; the previous one reaches memory first. With three ranks nothing is delayed,
   because there would be too many states. */
inline delay(kind, value) {
  d_step {
    flush(me);
    delayed[me] = kind;
    delayed_value[me] = value;
#if RANKS > 2
    flush(me)
#endif
  }
}

active proctype Memory() {
end:
  do
  :: d_step { delayed[0] != none -> flush(0) }
  :: d_step { delayed[1] != none -> flush(1) }
#if RANKS > 2
  :: d_step { delayed[2] != none -> flush(2) }
#endif
  od
}

#if RANKS > 2
#define fence() d_step { flush(0); flush(1); flush(2) }
#else
#define fence() d_step { flush(0); flush(1) }
#endif

inline wake_all() {
  d_step {
    i = 0;
    do
    :: i == RANKS -> break
    :: else ->
       if
       :: i != me && bell[i] -> bell[i] = 0; asleep[i] = 0
       :: else
       fi;
       i++
    od;
    i = 0
  }
}

/* --- conditions, each evaluated in one step --- */

#define is_published(rank, round) (rank == me || member[rank].published[(round) % ENTRIES] == (round) + 1)

#if RANKS > 2
#define posted_by_each(round) (is_published(0, round) && is_published(1, round) && is_published(2, round))
#define have_left(round) ((0 == me || member[0].released >= round) && \
                         (1 == me || member[1].released >= round) && \
                         (2 == me || member[2].released >= round))
#else
#define posted_by_each(round) (is_published(0, round) && is_published(1, round))
#define have_left(round) (member[1 - me].released >= round)
#endif

#ifdef SHARED
#define counted(round) (arrivals[(round) % ENTRIES] >= expected[(round) % ENTRIES])
#else
#define counted(round) false
#endif

#define all_here(round) (counted(round) || posted_by_each(round))

/* Announces, polls once more, and sleeps. A rank that waits for long compares the calls of the
   others, because the awaited round may never be published. */
inline wait_for(condition) {
  do
  :: (condition) || failed -> break
  :: else ->
     d_step { flush(me); bell[me] = 1 };
     fence();
     if
     :: (condition) -> bell[me] = 0; break
     :: else ->
        compare_published();
        if
        :: failed -> bell[me] = 0; break
        :: else -> sleep()
        fi
     fi
  od
}

/* The futex call compares and sleeps in one step. */
inline sleep() {
  atomic {
    if
    :: bell[me] -> asleep[me] = 1
    :: else
    fi
  };
  asleep[me] == 0
}

inline known_released(round) {
  if
  :: (round) > floor -> floor = round
  :: else
  fi
}

/* `floor`: the round that, as far as this rank knows, all have released. */
inline wait_for_space(round, depth) {
  needed = ((round) < (depth) -> 0 : (round) - (depth) + 1);
  do
  :: floor >= needed -> break
  :: floor < needed && have_left(needed) -> known_released(needed); break
  :: failed -> break
  :: else ->
     d_step { flush(me); bell[me] = 1 };
     fence();
     if
     :: have_left(needed) -> bell[me] = 0
     :: else ->
        d_step {
          if
          :: wants
          :: else ->
             flush(me);
#ifndef NO_WANTED
             wanted++;
#endif
             wants = 1
          fi
        };
#ifndef NO_SPACE_FENCE
        fence();
#endif
        if
#ifndef NO_SPACE_LOOK
        :: have_left(needed) -> bell[me] = 0
#endif
        :: else ->
           compare_published();
           if
           :: failed -> bell[me] = 0
           :: else -> sleep()
           fi
        fi
     fi
  od;
  if
  :: wants -> d_step { flush(me); wanted--; wants = 0 }
  :: else
  fi;
  needed = 0
}

/* --- rounds --- */

inline put(round, with_slot) {
  d_step {
    flush(me);
    member[me].what[(round) % ENTRIES] = call;
    member[me].entry[(round) % ENTRIES] = (round) + 1;
    if
    :: with_slot -> member[me].slot[(round) % SLOTS] = (round) + 1
    :: else
    fi
  }
}

inline publish_unawaited(round) { delay(of_published, (round) + 1) }

/* Publishes a round that all ranks publish. */
inline publish(round) {
  publish_unawaited(round);
#ifdef SHARED
  d_step {
    flush(me); /* the fetch_add */
    expected[(round) % ENTRIES] = expected[(round) % ENTRIES] + RANKS;
    arrivals[(round) % ENTRIES]++;
    last = (arrivals[(round) % ENTRIES] == expected[(round) % ENTRIES])
  };
#ifndef NO_RING
  if
  :: last -> wake_all()
  :: else
  fi;
#endif
  last = 0
#else
#ifndef NO_RING
  wake_all()
#endif
#endif
}

/* With three ranks this is one step, to limit the number of states. */
#if RANKS > 2
#define whole atomic
#else
#define whole
#endif

inline contribute(round, with_slot) {
  whole {
#ifdef PUBLISH_EARLY
    publish(round);
    put(round, with_slot)
#else
    put(round, with_slot);
    publish(round)
#endif
  }
}

/* The call of each rank that published the round. */
inline compare_all(round) {
  d_step {
    i = 0;
    do
    :: i == RANKS -> break
    :: i < RANKS && i != me && is_published(i, round) &&
       member[i].what[(round) % ENTRIES] != call -> failed = 1; break
    :: else -> i++
    od;
    i = 0
  };
  alarm_if_failed()
}

inline compare_published() {
#if defined(MISMATCH) && !defined(GO_ON)
  compare_all(START)
#else
  skip
#endif
}

inline compare(rank, round) {
  if
  :: rank != me && is_published(rank, round) && member[rank].what[(round) % ENTRIES] != call ->
     failed = 1
  :: else
  fi;
  alarm_if_failed()
}

inline alarm_if_failed() {
  if
  :: failed ->
     d_step { flush(me); errors = 1 };
#ifndef NO_ALARM
     wake_all()
#endif
  :: else
  fi
}

inline read(rank, round, with_slot) {
  assert(member[rank].what[(round) % ENTRIES] == call);
  assert(member[rank].entry[(round) % ENTRIES] == (round) + 1);
  assert(!(with_slot) || member[rank].slot[(round) % SLOTS] == (round) + 1)
}

/* In an order that the state does not record. */
inline read_all(round, with_slot) {
  other = (me + 1) % RANKS;
  do
  :: other == me -> break
  :: else -> read(other, round, with_slot); other = (other + 1) % RANKS
  od;
  other = 0
}

inline release(round) {
  told = round;
  delay(of_released, round);
  if
  :: wanted != 0 -> wake_all()
  :: else
  fi
}

#ifdef SPACE_OF_ENTRIES
#define DEPTH ENTRIES
#else
#define DEPTH SLOTS
#endif

/* --- operations --- */

inline one_round() {
  round = next;
  next++;
  wait_for_space(round, DEPTH);
  put_and_publish()
}

inline put_and_publish() {
  if
  :: kind == root_to_all && root != me -> whole { put(round, 0); publish_unawaited(round) }
  :: kind == root_to_all && root == me -> whole { put(round, 1); publish_unawaited(round); wake_all() }
  :: else -> contribute(round, 1)
  fi;
  if
  :: kind == all_to_all || (kind == all_to_root && root == me) ->
     wait_for(all_here(round));
     if
     :: !failed ->
        known_released(round);
        compare_all(round);
        if
        :: !failed -> read_all(round, 1)
        :: else
        fi
     :: else
     fi
  :: kind == all_to_root && root != me -> compare(root, round)
  :: kind == root_to_all && root != me ->
     wait_for(is_published(root, round));
     if
     :: !failed ->
        compare(root, round);
        if
        :: !failed -> read(root, round, 1)
        :: else
        fi
     :: else
     fi
  :: else
  fi
}

/* Publishes one round ahead of the round that it reads. */
inline in_slots() {
  first = next;
  next = next + LONG;
  do
  :: k == LONG + 1 || failed -> break
  :: else ->
     if
     :: k < LONG ->
        wait_for_space(first + k, DEPTH);
        contribute(first + k, 1)
     :: else
     fi;
     if
     :: k > 0 ->
        wait_for(all_here(first + k - 1));
        if
        :: !failed ->
#ifdef KNOWN_TOO_MUCH
           known_released(first + k);
#else
           if
           :: k > 1 -> known_released(first + k - 2)
           :: else -> known_released(first)
           fi;
#endif
           if
           :: k == 1 -> compare_all(first)
           :: else
           fi;
           if
           :: !failed ->
#ifdef RELEASE_EARLY
              release(first + k);
#endif
              read_all(first + k - 1, 1);
#ifndef RELEASE_EARLY
              release(first + k)
#endif
           :: else
           fi
        :: else
        fi
     :: else
     fi;
     k++
  od;
  k = 0;
  first = 0
}

/* Round 2k contains the contributions of all, round 2k + 1 the result of each for its part. */
inline in_parts() {
  first = next;
  next = next + 2 * LONG;
  do
  :: k == LONG + 1 || failed -> break
  :: else ->
     if
     :: k < LONG ->
        wait_for_space(first + 2 * k, DEPTH);
        contribute(first + 2 * k, 1)
     :: else
     fi;
     if
     :: k > 0 ->
        round = first + 2 * (k - 1);
        wait_for(all_here(round));
        if
        :: !failed ->
           if
           :: k == 1 -> known_released(first); compare_all(first)
           :: else
           fi;
           if
           :: !failed ->
              wait_for_space(round + 1, DEPTH);
              read_all(round, 1);
              put(round + 1, 1);
              release(round + 1);
              publish(round + 1);
              wait_for(all_here(round + 1));
              known_released(round + 1);
              read_all(round + 1, 1);
              release(round + 2)
           :: else
           fi
        :: else
        fi
     :: else
     fi;
     k++
  od;
  k = 0;
  first = 0
}

/* The root waits only for free space, the others for the root. */
inline in_stream() {
  first = next;
  next = next + SLOTS + 2;
  if
  :: root != me ->
     wait_for_space(first, ENTRIES);
     put(first, 0);
     publish_unawaited(first)
  :: else
  fi;
  do
  :: k == SLOTS + 2 || failed -> break
  :: root == me && !failed && k < SLOTS + 2 ->
     wait_for_space(first + k, DEPTH);
     put(first + k, 1);
     publish_unawaited(first + k);
     wake_all();
     k++
  :: root != me && !failed && k < SLOTS + 2 ->
     wait_for(is_published(root, first + k));
     if
     :: k == 0 && !failed -> compare(root, first)
     :: else
     fi;
     if
     :: !failed -> read(root, first + k, 1); release(first + k + 1)
     :: else
     fi;
     k++
  od;
  k = 0;
  first = 0
}

/* One round that is released but not published does not make any rank wait. */
inline end_ticket() {
#ifndef UNPUBLISHED
  if
  :: told != 0 && next - told <= 1
  :: else -> release(next)
  fi;
#endif
  round = 0
}

mtype kinds[OPERATIONS];
byte roots[OPERATIONS];
byte first_call; /* with MISMATCH */
bit unlike, waits_for_all;
bit errors;
byte done;

inline choose() {
  if
  :: kind = all_to_all
  :: kind = all_to_root
  :: kind = root_to_all
#if RANKS == 2
  :: kind = slots
  :: kind = parts
  :: kind = stream
#endif
  fi;
  root = 0;
  if
  :: kind == all_to_root || kind == root_to_all || kind == stream ->
     if
     :: root = 0
     :: root = RANKS - 1
     fi
  :: else
  fi
}

inline note() {
  if
  :: first_call == 0 -> first_call = call
  :: first_call != 0 && first_call != call -> unlike = 1
  :: else
  fi;
  if
  :: kind == all_to_root || kind == root_to_all || kind == stream
  :: else -> waits_for_all = 1
  fi
}

proctype Rank(byte me) {
  byte next = START, told = START, floor = START;
  byte round, needed, first, k, i, other;
  byte number;
  byte root, call;
  mtype kind;
  bit wants, last, failed;
#ifdef SHARED
  byte expected[ENTRIES];
#endif
  do
  :: number == OPERATIONS -> break
  :: else ->
#ifdef MISMATCH
     atomic { choose(); call = kind * 4 + root; note() };
#else
     d_step { kind = kinds[number]; root = roots[number]; call = kind * 4 + root };
#endif
     if
     :: kind == slots -> in_slots()
     :: kind == parts -> in_parts()
     :: kind == stream -> in_stream()
     :: else -> one_round()
     fi;
     end_ticket();
     number++
  od;
  atomic {
    done++;
    assert(done < RANKS || !(unlike && waits_for_all) || errors)
  }
}

init {
  byte n, root;
  mtype kind;
  atomic {
    do
    :: n == OPERATIONS -> break
    :: else ->
       choose();
       kinds[n] = kind;
       roots[n] = root;
       n++
    od;
    n = 0;
    do
    :: n == RANKS -> break
    :: else -> member[n].released = START; run Rank(n); n++
    od
  }
}
