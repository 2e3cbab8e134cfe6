#!/bin/bash
# Checks the models with Spin, and that Spin reports an error when a step of a protocol is left out:
# a model that cannot fail proves nothing.
set -u

if [ -n "${TEST_SRCDIR:-}" ]; then
  models=$TEST_SRCDIR/$TEST_WORKSPACE/shm/model  # under Bazel
else
  models=$(cd "$(dirname "$0")" && pwd)
fi
work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/model.XXXXXX")
trap 'rm -rf "$work"' EXIT
failures=0

# verdict MODEL FLAG...: prints "right", "wrong" and why, or "broken" and the error of the tools.
verdict() {
  local model=$1
  shift
  mkdir "$work/run" && cd "$work/run" || return
  if ! spin "$@" -a "$models/$model" >log 2>&1 ||
    ! cc -w -O1 -DSAFETY -DCOLLAPSE -o pan pan.c >>log 2>&1; then
    echo "broken: $(tail -n 1 log)"
  else
    ./pan -m200000 >log 2>&1
    if grep -qE 'max search depth too small|out of memory|Search not completed' log &&
      grep -q 'errors: 0' log; then
      echo "broken: the search was not complete"
    elif grep -q 'errors: 0' log; then
      echo right
    elif grep -qE 'assertion violated|invalid end state' log; then
      echo "wrong: $(grep -oE -m 1 'assertion violated.*|invalid end state' log)"
    else
      echo "broken: $(tail -n 1 log)"
    fi
  fi
  cd / && rm -rf "$work/run"
}

# expect right|wrong MODEL FLAG...
expect() {
  local expected=$1
  shift
  local result
  result=$(verdict "$@")
  if [ "${result%%:*}" = "$expected" ]; then
    echo "ok    $*: $result"
  else
    echo "FAIL  $*: $result, expected $expected"
    failures=$((failures + 1))
  fi
}

expect right ring.pml
expect right ring.pml -DWEAK
expect right ring.pml -DSYMMETRIC
expect right ring.pml -DSYMMETRIC -DWEAK
expect right ring.pml -DALONE
expect right ring.pml -DALONE -DWEAK
expect wrong ring.pml -DALONE -DNO_LIMIT
expect wrong ring.pml -DALONE -DNO_WAKER_FENCE
expect wrong ring.pml -DNO_MEMBARRIER
expect wrong ring.pml -DSYMMETRIC -DNO_WAKER_FENCE
expect wrong ring.pml -DSYMMETRIC -DNO_SLEEPER_FENCE
expect wrong ring.pml -DNO_SECOND_LOOK
expect wrong ring.pml -DNO_RING
expect wrong ring.pml -DPUBLISH_EARLY
expect wrong ring.pml -DHAND_BACK_EARLY
expect wrong ring.pml -DWEAK -DRELAXED_TURN
expect wrong ring.pml -DWEAK -DRELAXED_PEEK

expect right bell.pml
expect wrong bell.pml -DONE_VALUE
expect wrong bell.pml -DWITHDRAW
expect wrong bell.pml -DWAKE_ONE

expect right rendezvous.pml
expect wrong rendezvous.pml -DNO_CAS
expect wrong rendezvous.pml -DNO_BOUND
expect wrong rendezvous.pml -DCOUNT_EARLY
expect wrong rendezvous.pml -DREUSE_CANCELLED
expect wrong rendezvous.pml -DREUSE_COPIED
expect wrong rendezvous.pml -DTRUST_COUNT
expect wrong rendezvous.pml -DSTREAM_EARLY

expect right collective_buffer.pml
expect right collective_buffer.pml -DSHARED
expect right collective_buffer.pml -DMISMATCH
expect right collective_buffer.pml -DMISMATCH -DSHARED
expect right collective_buffer.pml -DMISMATCH -DRANKS=3
expect wrong collective_buffer.pml -DPUBLISH_EARLY
expect wrong collective_buffer.pml -DRELEASE_EARLY
expect wrong collective_buffer.pml -DSPACE_OF_ENTRIES
expect wrong collective_buffer.pml -DKNOWN_TOO_MUCH
expect wrong collective_buffer.pml -DUNPUBLISHED
expect wrong collective_buffer.pml -DNO_WANTED
expect wrong collective_buffer.pml -DNO_SPACE_LOOK
expect wrong collective_buffer.pml -DNO_SPACE_FENCE
expect wrong collective_buffer.pml -DNO_RING
expect wrong collective_buffer.pml -DSHARED -DNO_RING
expect wrong collective_buffer.pml -DSLOTS=3
expect wrong collective_buffer.pml -DMISMATCH -DNO_ALARM
expect wrong collective_buffer.pml -DMISMATCH -DGO_ON

expect right window_lock.pml
expect right window_lock.pml -DTWICE
expect right window_lock.pml -DMEET
expect right window_lock.pml -DDEATH
expect wrong window_lock.pml -DTWO_STEPS
expect wrong window_lock.pml -DNO_BIT
expect wrong window_lock.pml -DBIT_LATE
expect wrong window_lock.pml -DBIT_EARLY
expect wrong window_lock.pml -DNO_BIT_BEHIND
expect wrong window_lock.pml -DQUIET_LEAVE
expect wrong window_lock.pml -DANY_WAITER
expect wrong window_lock.pml -DNO_COMPARE
expect wrong window_lock.pml -DTWICE -DNO_LIMIT
expect wrong window_lock.pml -DTWICE -DLIMIT_RESET
expect wrong window_lock.pml -DMEET -DNO_CHAIN
expect wrong window_lock.pml -DMEET -DNO_CHAIN_FENCE
expect wrong window_lock.pml -DMEET -DCOUNT_BEFORE
expect wrong window_lock.pml -DDEATH -DQUIET_FORGET
expect wrong window_lock.pml -DDEATH -DKEEP_TICKET
expect wrong window_lock.pml -DDEATH -DFORGET_COUNT

expect right accumulate_guard.pml
expect right accumulate_guard.pml -DSYMMETRIC
expect right accumulate_guard.pml -DWEAK
expect right accumulate_guard.pml -DSYMMETRIC -DWEAK
expect right accumulate_guard.pml -DDEATH
expect right accumulate_guard.pml -DDEATH -DWEAK
expect wrong accumulate_guard.pml -DNO_MEMBARRIER
expect wrong accumulate_guard.pml -DFENCE_EARLY
expect wrong accumulate_guard.pml -DNO_REVOCATION
expect wrong accumulate_guard.pml -DMARK_LATE
expect wrong accumulate_guard.pml -DCLEAR_EARLY
expect wrong accumulate_guard.pml -DKEEP_MARK
expect wrong accumulate_guard.pml -DBACK_EARLY
expect wrong accumulate_guard.pml -DSYMMETRIC -DNO_WAKER_FENCE
expect wrong accumulate_guard.pml -DWEAK -DRELAXED_CLEAR
expect wrong accumulate_guard.pml -DWEAK -DRELAXED_RELEASE
expect wrong accumulate_guard.pml -DDEATH -DTRUST_DEAD

[ $failures -eq 0 ]
