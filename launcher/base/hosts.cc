#include "launcher/base/hosts.h"

#include <unistd.h>

#include <sstream>

#include "launcher/base/text.h"

namespace atl::launcher {
namespace {

std::string_view without_count(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == host.size()) return host;
  const bool digits = host.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
  return digits ? host.substr(0, colon) : host;
}

std::string short_name(std::string_view name) { return lower_case(name.substr(0, name.find('.'))); }

}  // namespace

bool is_this_node(std::string_view host, std::string_view own) {
  if (host == "::1") return true;
  host = without_count(host);
  if (host == "::1" || host == "[::1]" || host.starts_with("127.")) return true;
  const std::string name = short_name(host);
  return name == "localhost" || (!name.empty() && name == short_name(own));
}

std::vector<std::string> hosts_in_list(std::string_view list) {
  std::vector<std::string> hosts;
  for (std::string& host : split(list, ',')) {
    if (!host.empty()) hosts.push_back(std::move(host));
  }
  return hosts;
}

std::vector<std::string> hosts_in_file(std::string_view text) {
  std::vector<std::string> hosts;
  for (const std::string& line : split(text, '\n')) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string host;
    if (words >> host) hosts.push_back(std::move(host));
  }
  return hosts;
}

std::string own_host_name() {
  char name[256] = "";
  ::gethostname(name, sizeof name - 1);
  return name;
}

}  // namespace atl::launcher
