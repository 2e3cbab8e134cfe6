/* The arena of a communicator (shm/arena.h) and the steps that collectives take in
   it (runtime/coll): entries and cells that are used again, what a rank has left and
   need not tell, the last arrival that wakes all, waiting for room, and calls that do
   not match.

   All ranks do the same operations, chosen at random: of one step, in which all wait
   for all, one for all, or all for one; cells, posted one step ahead; parts, two steps
   for each cell; a stream of cells from one rank, which waits for room alone. Every entry and cell that is written holds the number of its step.
   Checked: what is read belongs to the step (assertions), and nobody sleeps for ever
   (no invalid end state).

   The last store of a rank may be delayed (posted, left), which matters for the looks
   at bells and at `wanted` behind it; a sleeper's membarrier ends that.

   -DSHARED: ranks share cores, so that arrivals are counted and the last one rings.
   -DMISMATCH: each rank calls one operation of its own choice. Checked: nobody reads
   what was given in another call; when they are not alike and one of them has all wait
   for all, somebody gets an error; and still nobody sleeps for ever.

   What each of these changes must be found (model_test.sh):
     POST_EARLY        an entry is published before it is written
     LEAVE_EARLY       a rank leaves a step before it has read
     ROOM_OF_ENTRIES   room for an entry is taken for room for a cell
     KNOWN_TOO_MUCH    who posted a step ahead is taken to have read the one before it
     UNTOLD            a rank does not tell others that it has left
     NO_WANTED         nobody says that it waits for room
     NO_ROOM_LOOK      no look at what was left behind that
     NO_ROOM_FENCE     no fence between the two
     NO_RING           the last arrival rings no bells
     CELLS=3           with one step untold, three cells a rank are not enough for parts
   and with MISMATCH:
     NO_ALARM          whoever sees a mismatch keeps it for itself
     GO_ON             who waits for long does not look at what the others call */

#ifndef RANKS
#define RANKS 2
#endif
#ifndef CELLS
#define CELLS 4
#endif
#define ENTRIES (CELLS + 1)
#define START 1 /* all have done step 0, and told so */
#ifdef MISMATCH
#define OPERATIONS 1
#else
#define OPERATIONS 2
#endif
#define LONG 2 /* cells in a long operation; a stream is longer than there are cells */

mtype = { all_to_all, all_to_root, root_to_all, cells, parts, stream };

typedef Member {
  byte posted[ENTRIES]; /* the step's number and one */
  byte what[ENTRIES];   /* the call */
  byte entry[ENTRIES];
  byte cell[CELLS];
  byte left
};
Member member[RANKS];
byte arrivals[ENTRIES];
byte wanted;

bit bell[RANKS];
bit asleep[RANKS];

/* A delayed store. */
mtype = { none, of_posted, of_left };
mtype delayed[RANKS] = none;
byte delayed_value[RANKS];

inline flush(p) {
  if
  :: delayed[p] == of_posted ->
     member[p].posted[(delayed_value[p] - 1) % ENTRIES] = delayed_value[p]
  :: delayed[p] == of_left -> member[p].left = delayed_value[p]
  :: else
  fi;
  delayed[p] = none;
  delayed_value[p] = 0
}

/* Behind the one before it. Among three, not at all: states would be too many. */
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

/* --- conditions, each of one look --- */

#define is_posted(rank, step) (rank == me || member[rank].posted[(step) % ENTRIES] == (step) + 1)

#if RANKS > 2
#define posted_by_each(step) (is_posted(0, step) && is_posted(1, step) && is_posted(2, step))
#define have_left(step) ((0 == me || member[0].left >= step) && \
                         (1 == me || member[1].left >= step) && \
                         (2 == me || member[2].left >= step))
#else
#define posted_by_each(step) (is_posted(0, step) && is_posted(1, step))
#define have_left(step) (member[1 - me].left >= step)
#endif

#ifdef SHARED
#define counted(step) (arrivals[(step) % ENTRIES] >= expected[(step) % ENTRIES])
#else
#define counted(step) false
#endif

#define all_here(step) (counted(step) || posted_by_each(step))

/* Announces, looks once more, and sleeps. Who waits for long looks at what the others
   call, since what it waits for may never come. */
inline wait_for(condition) {
  do
  :: (condition) || failed -> break
  :: else ->
     d_step { flush(me); bell[me] = 1 };
     fence();
     if
     :: (condition) -> bell[me] = 0; break
     :: else ->
        compare_posted();
        if
        :: failed -> bell[me] = 0; break
        :: else -> sleep()
        fi
     fi
  od
}

/* The system call compares and sleeps in one step. */
inline sleep() {
  atomic {
    if
    :: bell[me] -> asleep[me] = 1
    :: else
    fi
  };
  asleep[me] == 0
}

inline known_left(step) {
  if
  :: (step) > floor -> floor = step
  :: else
  fi
}

/* `floor`: what all have left, as this rank knows. */
inline wait_for_room(step, depth) {
  needed = ((step) < (depth) -> 0 : (step) - (depth) + 1);
  do
  :: floor >= needed -> break
  :: floor < needed && have_left(needed) -> known_left(needed); break
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
#ifndef NO_ROOM_FENCE
        fence();
#endif
        if
#ifndef NO_ROOM_LOOK
        :: have_left(needed) -> bell[me] = 0
#endif
        :: else ->
           compare_posted();
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

/* --- steps --- */

inline put(step, with_cell) {
  d_step {
    flush(me);
    member[me].what[(step) % ENTRIES] = call;
    member[me].entry[(step) % ENTRIES] = (step) + 1;
    if
    :: with_cell -> member[me].cell[(step) % CELLS] = (step) + 1
    :: else
    fi
  }
}

inline publish(step) { delay(of_posted, (step) + 1) }

/* One that all post. */
inline post(step) {
  publish(step);
#ifdef SHARED
  d_step {
    flush(me); /* the fetch_add */
    expected[(step) % ENTRIES] = expected[(step) % ENTRIES] + RANKS;
    arrivals[(step) % ENTRIES]++;
    last = (arrivals[(step) % ENTRIES] == expected[(step) % ENTRIES])
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

/* Among three it is one step, for the number of states. */
#if RANKS > 2
#define whole atomic
#else
#define whole
#endif

inline give(step, with_cell) {
  whole {
#ifdef POST_EARLY
    post(step);
    put(step, with_cell)
#else
    put(step, with_cell);
    post(step)
#endif
  }
}

/* The call of each rank that posted the step. */
inline compare_all(step) {
  d_step {
    i = 0;
    do
    :: i == RANKS -> break
    :: i < RANKS && i != me && is_posted(i, step) &&
       member[i].what[(step) % ENTRIES] != call -> failed = 1; break
    :: else -> i++
    od;
    i = 0
  };
  alarm_if_failed()
}

inline compare_posted() {
#if defined(MISMATCH) && !defined(GO_ON)
  compare_all(START)
#else
  skip
#endif
}

inline compare(rank, step) {
  if
  :: rank != me && is_posted(rank, step) && member[rank].what[(step) % ENTRIES] != call ->
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

inline read(rank, step, with_cell) {
  assert(member[rank].what[(step) % ENTRIES] == call);
  assert(member[rank].entry[(step) % ENTRIES] == (step) + 1);
  assert(!(with_cell) || member[rank].cell[(step) % CELLS] == (step) + 1)
}

/* In an order that the state need not keep. */
inline read_all(step, with_cell) {
  other = (me + 1) % RANKS;
  do
  :: other == me -> break
  :: else -> read(other, step, with_cell); other = (other + 1) % RANKS
  od;
  other = 0
}

inline leave(step) {
  told = step;
  delay(of_left, step);
  if
  :: wanted != 0 -> wake_all()
  :: else
  fi
}

#ifdef ROOM_OF_ENTRIES
#define DEPTH ENTRIES
#else
#define DEPTH CELLS
#endif

/* --- operations --- */

inline one_step() {
  step = next;
  next++;
  wait_for_room(step, DEPTH);
  put_and_post()
}

inline put_and_post() {
  if
  :: kind == root_to_all && root != me -> whole { put(step, 0); publish(step) }
  :: kind == root_to_all && root == me -> whole { put(step, 1); publish(step); wake_all() }
  :: else -> give(step, 1)
  fi;
  if
  :: kind == all_to_all || (kind == all_to_root && root == me) ->
     wait_for(all_here(step));
     if
     :: !failed ->
        known_left(step);
        compare_all(step);
        if
        :: !failed -> read_all(step, 1)
        :: else
        fi
     :: else
     fi
  :: kind == all_to_root && root != me -> compare(root, step)
  :: kind == root_to_all && root != me ->
     wait_for(is_posted(root, step));
     if
     :: !failed ->
        compare(root, step);
        if
        :: !failed -> read(root, step, 1)
        :: else
        fi
     :: else
     fi
  :: else
  fi
}

/* Posts `number` one step ahead of what it reads. */
inline in_cells() {
  first = next;
  next = next + LONG;
  do
  :: k == LONG + 1 || failed -> break
  :: else ->
     if
     :: k < LONG ->
        wait_for_room(first + k, DEPTH);
        give(first + k, 1)
     :: else
     fi;
     if
     :: k > 0 ->
        wait_for(all_here(first + k - 1));
        if
        :: !failed ->
#ifdef KNOWN_TOO_MUCH
           known_left(first + k);
#else
           if
           :: k > 1 -> known_left(first + k - 2)
           :: else -> known_left(first)
           fi;
#endif
           if
           :: k == 1 -> compare_all(first)
           :: else
           fi;
           if
           :: !failed ->
#ifdef LEAVE_EARLY
              leave(first + k);
#endif
              read_all(first + k - 1, 1);
#ifndef LEAVE_EARLY
              leave(first + k)
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

/* Step 2k is what all give, step 2k + 1 what each has made of its part of that. */
inline in_parts() {
  first = next;
  next = next + 2 * LONG;
  do
  :: k == LONG + 1 || failed -> break
  :: else ->
     if
     :: k < LONG ->
        wait_for_room(first + 2 * k, DEPTH);
        give(first + 2 * k, 1)
     :: else
     fi;
     if
     :: k > 0 ->
        step = first + 2 * (k - 1);
        wait_for(all_here(step));
        if
        :: !failed ->
           if
           :: k == 1 -> known_left(first); compare_all(first)
           :: else
           fi;
           if
           :: !failed ->
              wait_for_room(step + 1, DEPTH);
              read_all(step, 1);
              put(step + 1, 1);
              leave(step + 1);
              post(step + 1);
              wait_for(all_here(step + 1));
              known_left(step + 1);
              read_all(step + 1, 1);
              leave(step + 2)
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

/* The root waits for nobody but for room, the others for the root. */
inline in_stream() {
  first = next;
  next = next + CELLS + 2;
  if
  :: root != me ->
     wait_for_room(first, ENTRIES);
     put(first, 0);
     publish(first)
  :: else
  fi;
  do
  :: k == CELLS + 2 || failed -> break
  :: root == me && !failed && k < CELLS + 2 ->
     wait_for_room(first + k, DEPTH);
     put(first + k, 1);
     publish(first + k);
     wake_all();
     k++
  :: root != me && !failed && k < CELLS + 2 ->
     wait_for(is_posted(root, first + k));
     if
     :: k == 0 && !failed -> compare(root, first)
     :: else
     fi;
     if
     :: !failed -> read(root, first + k, 1); leave(first + k + 1)
     :: else
     fi;
     k++
  od;
  k = 0;
  first = 0
}

/* One step untold keeps nobody waiting. */
inline end_turn() {
#ifndef UNTOLD
  if
  :: told != 0 && next - told <= 1
  :: else -> leave(next)
  fi;
#endif
  step = 0
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
  :: kind = cells
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
  byte step, needed, first, k, i, other;
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
     :: kind == cells -> in_cells()
     :: kind == parts -> in_parts()
     :: kind == stream -> in_stream()
     :: else -> one_step()
     fi;
     end_turn();
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
    :: else -> member[n].left = START; run Rank(n); n++
    od
  }
}
