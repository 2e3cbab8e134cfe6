// The body of a collective operation: a coroutine that suspends where it must wait and is resumed
// when its condition holds. So blocking, non-blocking and persistent calls share one
// implementation.
#pragma once

#include <coroutine>
#include <exception>
#include <utility>

namespace atl::coll {

// Owns the coroutine, which starts at the first resume(). A task that awaits another task starts
// it, and goes on when the other ends.
class [[nodiscard]] Task {
 public:
  struct promise_type {
    // At the end, resumes the task that awaits this one, if any.
    struct AtEnd {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> ended) noexcept {
        return ended.promise().next;
      }
      void await_resume() noexcept {}
    };

    Task get_return_object() {
      return Task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    AtEnd final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }  // out of memory

    std::coroutine_handle<> next = std::noop_coroutine();
  };

  Task() = default;
  Task(Task&& other) noexcept : body_(std::exchange(other.body_, {})) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(body_, other.body_);
    return *this;
  }
  ~Task() {
    if (body_) body_.destroy();
  }

  void resume() { body_.resume(); }
  bool done() const { return body_.done(); }

  // For co_await of this task by another.
  bool await_ready() const { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) {
    body_.promise().next = awaiting;
    return body_;
  }
  void await_resume() const {}

 private:
  explicit Task(std::coroutine_handle<promise_type> body) : body_(body) {}

  std::coroutine_handle<promise_type> body_;
};

}  // namespace atl::coll
