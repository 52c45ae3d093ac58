// A benchmark in C++ that speaks suite's line protocol: docs/harnesses.md.
#include <chrono>
#include <iostream>

int main() {
  std::string verb, name;
  for (long n; std::cin >> verb;) {
    if (verb == "list") {
      std::cout << R"({"benchmarks": ["divide"]})" << std::endl;
    } else if (std::cin >> n && std::getline(std::cin >> std::ws, name)) {
      auto start = std::chrono::steady_clock::now();
      volatile double x = 1e300;
      for (long i = 0; i < n; i++) x = x / 1.1;
      std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
      std::cout << R"({"name": ")" << name << R"(", "iterations": )" << n
                << R"(, "seconds": )" << took.count() << "}" << std::endl;
    }
  }
}
