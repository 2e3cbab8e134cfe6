// Bad arguments to info objects.
#include <climits>

#include "test/errors/expect.h"

namespace {

using errors::Untouched;

MPI_Info with_one_key() {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "key", "value");
  return info;
}

void bad_info(MPI_Info bad) {
  Untouched<int> number, flag;
  Untouched<MPI_Info> made;
  char text[MPI_MAX_INFO_VAL + 1] = "as before";
  MPI_Info before = bad;
  EXPECT_ERROR(MPI_ERR_INFO, "info", "", MPI_Info_set(bad, "key", "value"));
  EXPECT_ERROR(MPI_ERR_INFO, "info", "", MPI_Info_delete(bad, "key"));
  EXPECT_ERROR(MPI_ERR_INFO, "info", "", MPI_Info_dup(bad, &made));
  EXPECT_ERROR(MPI_ERR_INFO, "info", "", MPI_Info_free(&bad));
  CHECK(bad == before);
  EXPECT_ERROR(MPI_ERR_INFO, "info", "", MPI_Info_get(bad, "key", 10, text, &flag));
  EXPECT_ERROR(MPI_ERR_INFO, "info", "", MPI_Info_get_valuelen(bad, "key", &number, &flag));
  EXPECT_ERROR(MPI_ERR_INFO, "info", "", MPI_Info_get_string(bad, "key", &number, text, &flag));
  EXPECT_ERROR(MPI_ERR_INFO, "info", "", MPI_Info_get_nkeys(bad, &number));
  EXPECT_ERROR(MPI_ERR_INFO, "info", "", MPI_Info_get_nthkey(bad, 0, text));
  CHECK_EQ(std::string(text), "as before");
}

// It can be read, and copied, and nothing else.
void environment() {
  EXPECT_ERROR(MPI_ERR_INFO, "info", "MPI_INFO_ENV", MPI_Info_set(MPI_INFO_ENV, "key", "value"));
  EXPECT_ERROR(MPI_ERR_INFO, "info", "MPI_INFO_ENV", MPI_Info_delete(MPI_INFO_ENV, "command"));
  MPI_Info env = MPI_INFO_ENV;
  EXPECT_ERROR(MPI_ERR_INFO, "info", "MPI_INFO_ENV", MPI_Info_free(&env));
  CHECK(env == MPI_INFO_ENV);
}

void bad_keys(MPI_Info info) {
  Untouched<int> number, flag;
  char text[MPI_MAX_INFO_VAL + 1] = "as before";
  int room = 5;
  const std::string too_long(MPI_MAX_INFO_KEY, 'k');
  for (const char* bad : {"", too_long.c_str()}) {
    const std::string value = *bad ? std::to_string(MPI_MAX_INFO_KEY) : "";
    EXPECT_ERROR(MPI_ERR_INFO_KEY, "key", value, MPI_Info_set(info, bad, "value"));
    EXPECT_ERROR(MPI_ERR_INFO_KEY, "key", value, MPI_Info_delete(info, bad));
    EXPECT_ERROR(MPI_ERR_INFO_KEY, "key", value, MPI_Info_get(info, bad, 10, text, &flag));
    EXPECT_ERROR(MPI_ERR_INFO_KEY, "key", value, MPI_Info_get_valuelen(info, bad, &number, &flag));
    EXPECT_ERROR(MPI_ERR_INFO_KEY, "key", value,
                 MPI_Info_get_string(info, bad, &room, text, &flag));
  }
  EXPECT_ERROR(MPI_ERR_INFO_NOKEY, "key", "other", MPI_Info_delete(info, "other"));
  for (int n : {-1, 1, INT_MAX, INT_MIN}) {
    EXPECT_ERROR(MPI_ERR_ARG, "n", std::to_string(n), MPI_Info_get_nthkey(info, n, text));
  }
  CHECK_EQ(std::string(text), "as before");
  CHECK_EQ(room, 5);
}

void bad_values(MPI_Info info) {
  Untouched<int> flag;
  char text[16] = "as before";
  const std::string too_long(MPI_MAX_INFO_VAL, 'v');
  EXPECT_ERROR(MPI_ERR_INFO_VALUE, "value", std::to_string(MPI_MAX_INFO_VAL),
               MPI_Info_set(info, "key", too_long.c_str()));
  EXPECT_ERROR(MPI_ERR_ARG, "valuelen", "-1", MPI_Info_get(info, "key", -1, text, &flag));
  int room = -1;
  EXPECT_ERROR(MPI_ERR_ARG, "buflen", "-1", MPI_Info_get_string(info, "key", &room, text, &flag));
  room = 3;
  EXPECT_ERROR(MPI_ERR_ARG, "value", "3", MPI_Info_get_string(info, "key", &room, nullptr, &flag));
  CHECK_EQ(room, 3);
  CHECK_EQ(std::string(text), "as before");
}

void missing_addresses(MPI_Info info) {
  Untouched<int> number;
  char text[16];
  int room = 5;
  EXPECT_ERROR(MPI_ERR_ARG, "info", "", MPI_Info_create(nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "info", "", MPI_Info_create_env(0, nullptr, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "newinfo", "", MPI_Info_dup(info, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "info", "", MPI_Info_free(nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "key", "", MPI_Info_set(info, nullptr, "value"));
  EXPECT_ERROR(MPI_ERR_ARG, "value", "", MPI_Info_set(info, "key", nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "key", "", MPI_Info_delete(info, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "nkeys", "", MPI_Info_get_nkeys(info, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "key", "", MPI_Info_get_nthkey(info, 0, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "value", "", MPI_Info_get(info, "key", 5, nullptr, &number));
  EXPECT_ERROR(MPI_ERR_ARG, "flag", "", MPI_Info_get(info, "key", 5, text, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "valuelen", "", MPI_Info_get_valuelen(info, "key", nullptr, &number));
  EXPECT_ERROR(MPI_ERR_ARG, "buflen", "", MPI_Info_get_string(info, "key", nullptr, text, &number));
  EXPECT_ERROR(MPI_ERR_ARG, "flag", "", MPI_Info_get_string(info, "key", &room, text, nullptr));
}

// After all of it, the object is what it was.
void check_unchanged(MPI_Info info) {
  char value[16] = "";
  int count = 0, room = sizeof value, flag = 0;
  MPI_Info_get_nkeys(info, &count);
  CHECK_EQ(count, 1);
  MPI_Info_get_string(info, "key", &room, value, &flag);
  CHECK_EQ(std::string(value), "value");
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  MPI_Info info = with_one_key();
  MPI_Info freed = with_one_key();
  const MPI_Info stale = freed;
  MPI_Info_free(&freed);
  bad_info(MPI_INFO_NULL);
  bad_info(stale);
  bad_info(errors::garbage<MPI_Info>());
  environment();
  bad_keys(info);
  bad_values(info);
  missing_addresses(info);
  check_unchanged(info);
  MPI_Info_free(&info);
  errors::check_all_is_well();
  return check::finish();
}
