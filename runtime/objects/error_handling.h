// What an error handler does to an error (MPI 5.0, 9.3), whatever the object is
// that it belongs to.
#pragma once

#include <string>

#include "runtime/objects/errhandler.h"

namespace atl {

// Remembers the sentence of an error for MPI_Error_string in this thread.
void note_sentence(int error_code, const std::string& sentence);

// The sentence of the last error of this thread, if it had this code; else empty.
const std::string& last_sentence(int error_code);

// Prints one line on standard error, unless another rank has ended the job with
// an error already, and ends the job. `label` names the object; it may be empty.
[[noreturn]] void end_with_error(const std::string& sentence, int error_code,
                                 const std::string& label);

// Ends the job from here: the launcher sees it and stops the others.
[[noreturn]] void abort_job(int code);

// What the library does when a check fails (base/check.h): ends the job with the sentence.
[[noreturn]] void end_with_failed_check(const char* sentence);

// Runs `handler` for the object that `handle` names; `label` makes a name for
// it when it is needed. If it returns, `error_code` is what the call returns.
template <class Handle, class Label>
void handle_error(Errhandler& handler, Handle handle, const std::string& sentence, int& error_code,
                  Label label) {
  if (&handler == &errors_return()) return;
  if (ErrhandlerFunction<Handle>* function = handler.template function_for<Handle>()) {
    retain(handler);  // the function may free or replace it
    function(&handle, &error_code);
    release(handler);
    return;
  }
  end_with_error(sentence, error_code, label());
}

}  // namespace atl
