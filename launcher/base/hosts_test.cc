#include "launcher/base/hosts.h"

#include <doctest/doctest.h>

namespace atl::launcher {
namespace {

TEST_CASE("this node has several names") {
  for (const char* host :
       {"localhost", "LocalHost", "localhost.localdomain", "localhost:8", "127.0.0.1",
        "127.1.2.3:4", "::1", "[::1]:2", "fat7", "FAT7", "fat7.cluster.example", "fat7:64"}) {
    CAPTURE(host);
    CHECK(is_this_node(host, "fat7.cluster.example"));
    CHECK(is_this_node(host, "fat7"));
  }
}

TEST_CASE("other names are other machines") {
  for (const char* host : {"fat8", "fat", "fat70", "128.0.0.1", "local", "", ":4", "::2"}) {
    CAPTURE(host);
    CHECK_FALSE(is_this_node(host, "fat7"));
  }
  CHECK_FALSE(is_this_node("", ""));
}

TEST_CASE("lists and files of hosts") {
  CHECK(hosts_in_list("a,b:2,,c") == std::vector<std::string>{"a", "b:2", "c"});
  CHECK(hosts_in_file("# mine\nfat7 slots=4\n\n  fat8:2  # old\n") ==
        std::vector<std::string>{"fat7", "fat8:2"});
  CHECK(hosts_in_file("").empty());
}

}  // namespace
}  // namespace atl::launcher
