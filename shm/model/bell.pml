/* Several threads of one rank on one doorbell (shm/doorbell.h with WaitPolicy::shared_bell). Memory
   has no store buffers here; ring.pml models those.

   A waker publishes ROUNDS times; each thread waits for every round and sleeps until it is
   published. Checked: no thread sleeps forever (no invalid end state).
   Each of these changes breaks the protocol, and Spin must detect it (model_test.sh):
     ONE_VALUE  an announced doorbell has the same value every time
     WITHDRAW   a thread that found work withdraws the announcement
     WAKE_ONE   a ring wakes only one of the sleepers */

#define THREADS 2
#define ROUNDS 3

byte bell;
byte published;
bit asleep[THREADS];

inline ring() {
  if
  :: (bell & 1) ->
     word = bell;
     atomic {
       if
#ifdef ONE_VALUE
       :: (word & 1) && bell == word -> bell = 0
#else
       :: (word & 1) && bell == word -> bell = word + 1
#endif
       :: else -> word = 0
       fi
     };
     if
#ifdef WAKE_ONE
     :: (word & 1) -> d_step { if :: asleep[0] -> asleep[0] = 0 :: else -> asleep[1] = 0 fi }
#else
     :: (word & 1) -> d_step { asleep[0] = 0; asleep[1] = 0 }
#endif
     :: else
     fi;
     word = 0
  :: else
  fi
}

active proctype Waker() {
  byte word;
  do
  :: published == ROUNDS -> break
  :: else ->
     published++;
     ring()
  od
}

active [THREADS] proctype Sleeper() {
  byte me = _pid - 1;
  byte round = 1;
  byte announcement;
  do
  :: round > ROUNDS -> break
  :: round <= ROUNDS ->
     if
     :: published >= round -> round++
     :: else ->
        atomic { bell = bell | 1; announcement = bell };
        if
        :: published >= round
        :: else ->
           atomic {
             if
             :: bell == announcement -> asleep[me] = 1
             :: else
             fi
           };
           asleep[me] == 0
        fi;
        announcement = 0;
#ifdef WITHDRAW
        bell = bell & 254
#endif
     fi
  od
}
