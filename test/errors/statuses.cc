// Bad arguments to the calls that read and write statuses.
#include "test/errors/expect.h"

namespace {

using errors::Untouched;

MPI_Status some_status() {
  int value = 1;
  MPI_Status status;
  MPI_Sendrecv_replace(&value, 1, MPI_INT, check::rank, 1, check::rank, 1, MPI_COMM_WORLD, &status);
  return status;
}

void reading() {
  const MPI_Status status = some_status();
  Untouched<int> number;
  Untouched<MPI_Count> count;
  EXPECT_ERROR(MPI_ERR_ARG, "status", "", MPI_Get_count(nullptr, MPI_INT, &number));
  EXPECT_ERROR(MPI_ERR_ARG, "status", "", MPI_Get_count_c(nullptr, MPI_INT, &count));
  EXPECT_ERROR(MPI_ERR_ARG, "status", "", MPI_Get_elements(nullptr, MPI_INT, &number));
  EXPECT_ERROR(MPI_ERR_ARG, "status", "", MPI_Get_elements_c(nullptr, MPI_INT, &count));
  EXPECT_ERROR(MPI_ERR_ARG, "status", "", MPI_Get_elements_x(nullptr, MPI_INT, &count));
  EXPECT_ERROR(MPI_ERR_ARG, "count", "", MPI_Get_count(&status, MPI_INT, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "count", "", MPI_Get_count_c(&status, MPI_INT, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "count", "", MPI_Get_elements(&status, MPI_INT, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "count", "", MPI_Get_elements_c(&status, MPI_INT, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "count", "", MPI_Get_elements_x(&status, MPI_INT, nullptr));
  for (MPI_Datatype type : {MPI_DATATYPE_NULL, errors::garbage<MPI_Datatype>()}) {
    EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "", MPI_Get_count(&status, type, &number));
    EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "", MPI_Get_count_c(&status, type, &count));
    EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "", MPI_Get_elements(&status, type, &number));
    EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "", MPI_Get_elements_c(&status, type, &count));
    EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "", MPI_Get_elements_x(&status, type, &count));
  }
  EXPECT_ERROR(MPI_ERR_ARG, "status", "", MPI_Test_cancelled(nullptr, &number));
  EXPECT_ERROR(MPI_ERR_ARG, "flag", "", MPI_Test_cancelled(&status, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "status", "", MPI_Status_get_source(nullptr, &number));
  EXPECT_ERROR(MPI_ERR_ARG, "source", "", MPI_Status_get_source(&status, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "status", "", MPI_Status_get_tag(nullptr, &number));
  EXPECT_ERROR(MPI_ERR_ARG, "tag", "", MPI_Status_get_tag(&status, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "status", "", MPI_Status_get_error(nullptr, &number));
  EXPECT_ERROR(MPI_ERR_ARG, "error", "", MPI_Status_get_error(&status, nullptr));
}

void writing() {
  Untouched<MPI_Status> status;
  EXPECT_ERROR(MPI_ERR_ARG, "status", "", MPI_Status_set_elements(nullptr, MPI_INT, 1));
  EXPECT_ERROR(MPI_ERR_ARG, "status", "", MPI_Status_set_elements_c(nullptr, MPI_INT, 1));
  EXPECT_ERROR(MPI_ERR_ARG, "status", "", MPI_Status_set_elements_x(nullptr, MPI_INT, 1));
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "MPI_DATATYPE_NULL",
               MPI_Status_set_elements(&status, MPI_DATATYPE_NULL, 1));
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "MPI_DATATYPE_NULL",
               MPI_Status_set_elements_c(&status, MPI_DATATYPE_NULL, 1));
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "MPI_DATATYPE_NULL",
               MPI_Status_set_elements_x(&status, MPI_DATATYPE_NULL, 1));
  EXPECT_ERROR(MPI_ERR_COUNT, "count", "-1", MPI_Status_set_elements(&status, MPI_INT, -1));
  EXPECT_ERROR(MPI_ERR_COUNT, "count", "-1", MPI_Status_set_elements_c(&status, MPI_INT, -1));
  EXPECT_ERROR(MPI_ERR_COUNT, "count", "-1", MPI_Status_set_elements_x(&status, MPI_INT, -1));
  EXPECT_ERROR(MPI_ERR_ARG, "status", "", MPI_Status_set_cancelled(nullptr, 1));
  EXPECT_ERROR(MPI_ERR_ARG, "status", "", MPI_Status_set_source(nullptr, 1));
  EXPECT_ERROR(MPI_ERR_ARG, "status", "", MPI_Status_set_tag(nullptr, 1));
  EXPECT_ERROR(MPI_ERR_ARG, "status", "", MPI_Status_set_error(nullptr, 1));
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  reading();
  writing();
  errors::check_all_is_well();
  return check::finish();
}
