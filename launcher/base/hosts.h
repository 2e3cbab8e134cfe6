// Whether a host name means this node. Names are never resolved.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace atl::launcher {

// `host` may end in ":N"; `own` is the result of gethostname().
bool is_this_node(std::string_view host, std::string_view own);

// The names in a comma-separated list.
std::vector<std::string> hosts_in_list(std::string_view list);

// The names in the text of a host file: the first word of each line, '#' starts
// a comment.
std::vector<std::string> hosts_in_file(std::string_view text);

std::string own_host_name();

}  // namespace atl::launcher
