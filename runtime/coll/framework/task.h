// The body of a collective operation, written as if it could wait: a coroutine
// that stops where it must and goes on when what it waits for is there. So one
// text serves blocking, non-blocking and persistent calls.
#pragma once

#include <coroutine>
#include <exception>
#include <utility>

namespace atl::coll {

// Owns the coroutine. It runs from the first resume() on; another task that
// awaits it runs it and goes on behind it.
class [[nodiscard]] Task {
 public:
  struct promise_type {
    // Where to go on at the end: the task that awaits this one, or nowhere.
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

  // co_await another task.
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
