#include "runtime/objects/info.h"

#include <algorithm>
#include <cstring>

#include "runtime/objects/info_env.h"

namespace atl {

const std::string* Info::find(std::string_view key) const {
  const auto found = std::ranges::find(pairs_, key, &Pair::first);
  return found == pairs_.end() ? nullptr : &found->second;
}

void Info::set(std::string_view key, std::string_view value) {
  const auto found = std::ranges::find(pairs_, key, &Pair::first);
  if (found != pairs_.end()) {
    found->second = value;
  } else {
    pairs_.emplace_back(key, value);
  }
}

bool Info::remove(std::string_view key) {
  return std::erase_if(pairs_, [&](const Pair& pair) { return pair.first == key; }) != 0;
}

const Info* Infos::find(MPI_Info handle) {
  if (handle == MPI_INFO_ENV) return &info_env();
  return find_own(handle);
}

Info* Infos::find_own(MPI_Info handle) {
  const std::lock_guard guard(lock_);
  return table_.find(reinterpret_cast<std::uintptr_t>(handle));
}

MPI_Info Infos::from_int(int number) {
  const std::lock_guard guard(lock_);
  return reinterpret_cast<MPI_Info>(table_.from_int(number));
}

int Infos::count() {
  const std::lock_guard guard(lock_);
  int count = 0;
  table_.for_each([&](const Info&) { ++count; });
  return count;
}

MPI_Info Infos::create(Info info) {
  const std::lock_guard guard(lock_);
  return reinterpret_cast<MPI_Info>(HandleTable<Info>::handle(table_.create(std::move(info))));
}

void Infos::destroy(Info& info) {
  const std::lock_guard guard(lock_);
  table_.destroy(info);
}

const Info& no_hints() {
  static const Info none;
  return none;
}

namespace info {
namespace {

constexpr std::size_t kLongestKey = MPI_MAX_INFO_KEY - 1;  // characters, without the null
constexpr std::size_t kLongestValue = MPI_MAX_INFO_VAL - 1;

Error check_key(const char* key) {
  const std::size_t length = std::strlen(key);
  if (length == 0) return make_error(MPI_ERR_INFO_KEY, "key is empty");
  if (length <= kLongestKey) return {};
  return make_error(MPI_ERR_INFO_KEY, "key=%.40s... has %zu characters, more than the %zu of a key",
                    key, length, kLongestKey);
}

Error check_value(const char* key, const char* value) {
  const std::size_t length = std::strlen(value);
  if (length <= kLongestValue) return {};
  return make_error(MPI_ERR_INFO_VALUE,
                    "value of key=%s has %zu characters, more than the %zu of a value", key, length,
                    kLongestValue);
}

// Copies up to `room` characters of `text` and a terminating null.
void copy(std::string_view text, std::size_t room, char* to) {
  const std::size_t length = std::min(text.size(), room);
  std::memcpy(to, text.data(), length);
  to[length] = '\0';
}

}  // namespace

Error create(MPI_Info* info) {
  *info = infos.create({});
  return {};
}

// The arguments are ignored: the values come from the launcher and the system.
Error create_env(int, char**, MPI_Info* info) {
  *info = infos.create(info_env());
  return {};
}

Error dup(const Info& info, MPI_Info* newinfo) {
  *newinfo = infos.create(info);
  return {};
}

Error free(MPI_Info* info) {
  infos.destroy(*infos.find_own(*info));
  *info = MPI_INFO_NULL;
  return {};
}

Error set(Info& info, const char* key, const char* value) {
  if (Error error = check_key(key)) return error;
  if (Error error = check_value(key, value)) return error;
  info.set(key, value);
  return {};
}

Error remove(Info& info, const char* key) {
  if (Error error = check_key(key)) return error;
  if (info.remove(key)) return {};
  return make_error(MPI_ERR_INFO_NOKEY, "key=%s is not in the info object", key);
}

Error get_nkeys(const Info& info, int* nkeys) {
  *nkeys = static_cast<int>(info.pairs().size());
  return {};
}

Error get_nthkey(const Info& info, int n, char* key) {
  const auto index = static_cast<std::size_t>(n);
  if (n < 0 || index >= info.pairs().size()) {
    return make_error(MPI_ERR_ARG, "n=%d is not the number of a key: the info object has %zu", n,
                      info.pairs().size());
  }
  copy(info.pairs()[index].first, kLongestKey, key);
  return {};
}

Error get(const Info& info, const char* key, int valuelen, char* value, int* flag) {
  if (Error error = check_key(key)) return error;
  if (valuelen < 0) return make_error(MPI_ERR_ARG, "valuelen=%d is negative", valuelen);
  const std::string* found = info.find(key);
  *flag = found != nullptr;
  if (found != nullptr) copy(*found, static_cast<std::size_t>(valuelen), value);
  return {};
}

Error get_valuelen(const Info& info, const char* key, int* valuelen, int* flag) {
  if (Error error = check_key(key)) return error;
  const std::string* found = info.find(key);
  *flag = found != nullptr;
  if (found != nullptr) *valuelen = static_cast<int>(found->size());
  return {};
}

// `buflen` includes the terminating null; on return it is the length that the whole value needs.
// With 0 there is no buffer.
Error get_string(const Info& info, const char* key, int* buflen, char* value, int* flag) {
  if (Error error = check_key(key)) return error;
  if (*buflen < 0) return make_error(MPI_ERR_ARG, "buflen=%d is negative", *buflen);
  if (*buflen > 0 && value == nullptr) {
    return make_error(MPI_ERR_ARG, "value is a null pointer, but buflen is %d", *buflen);
  }
  const std::string* found = info.find(key);
  *flag = found != nullptr;
  if (found == nullptr) return {};
  if (*buflen > 0) copy(*found, static_cast<std::size_t>(*buflen) - 1, value);
  *buflen = static_cast<int>(found->size()) + 1;
  return {};
}

}  // namespace info
}  // namespace atl
