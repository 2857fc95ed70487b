#include "client/report/samples.hpp"

#include <doctest/doctest.h>

#include "tests/unit/report_fixture.hpp"

using namespace mocks3::client;

TEST_CASE("provenance, header, a line per second") {
  RunReport report;
  report.provenance = {{"version", "v1\nx"}};
  report.samples = {{1.0005, "native put 4x16MiB threads=2 repeat=1", 10, 20, 30, 0.5},
                    {2, "a \"b\", c", 0, 1, 2, 0}};
  CHECK(samples_csv(report) ==
        "# version: v1 x\n"
        "time_s,cell,client_bytes,server_bytes_in,server_bytes_out,server_cpu_s\n"
        "1.000,native put 4x16MiB threads=2 repeat=1,10,20,30,0.5000\n"
        "2.000,\"a \"\"b\"\", c\",0,1,2,0.0000\n");
}
