// The handling of errors by error handlers (MPI 5.0, 9.3), for all kinds of objects.
#pragma once

#include <string>

#include "runtime/objects/errhandler.h"

namespace atl {

// Stores the sentence of an error for MPI_Error_string in this thread.
void note_sentence(int error_code, const std::string& sentence);

// The sentence of this thread's last error, if that had this code; else empty.
const std::string& last_sentence(int error_code);

// Prints one line on standard error, unless another rank has already ended the job with an error,
// and ends the job. `label` names the object; it may be empty.
[[noreturn]] void end_with_error(const std::string& sentence, int error_code,
                                 const std::string& label);

// Ends this process so that the launcher stops the other ranks.
[[noreturn]] void abort_job(int code);

// Called when a check (base/check.h) fails: ends the job with the sentence.
[[noreturn]] void end_with_failed_check(const char* sentence);

// Runs `handler` for the object of `handle`; `label` makes a name for the object when one is
// needed. If this function returns, the MPI call returns `error_code`.
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
