// What mpiexec says about itself, generated from the option table.
#pragma once

#include <string>

namespace atl::launcher {

std::string help_text();
std::string manual_page();  // mdoc
std::string version_text();
// What a job may use of this machine.
std::string node_text();

}  // namespace atl::launcher
