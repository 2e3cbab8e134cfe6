// Types that are freed while others use them, names, attributes, and handles.
#include <cstring>
#include <string>
#include <vector>

#include "test/types/type_map.h"

namespace {

int right() { return (check::rank + 1) % check::size; }
int left() { return (check::rank + check::size - 1) % check::size; }

MPI_Datatype every_second(int count) {
  MPI_Datatype type;
  MPI_Type_vector(count, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  return type;
}

// The type goes as soon as the operation has begun, and its place is used again.
void freed_under_way(int count, bool persistent) {
  check::set_case("freed under way, %d values, %s", count, persistent ? "persistent" : "once");
  std::vector<int> out(static_cast<std::size_t>(2 * count), check::rank), in(out.size(), -1);
  MPI_Datatype sent = every_second(count), received = every_second(count);
  MPI_Request requests[2];
  if (persistent) {
    MPI_Recv_init(in.data(), 1, received, left(), 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(out.data(), 1, sent, right(), 3, MPI_COMM_WORLD, &requests[1]);
  } else {
    MPI_Irecv(in.data(), 1, received, left(), 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out.data(), 1, sent, right(), 3, MPI_COMM_WORLD, &requests[1]);
  }
  MPI_Type_free(&sent);
  MPI_Type_free(&received);
  CHECK(sent == MPI_DATATYPE_NULL && received == MPI_DATATYPE_NULL);
  MPI_Datatype others[8];
  for (MPI_Datatype& other : others) MPI_Type_contiguous(7, MPI_DOUBLE, &other);
  for (int turn = 0; turn < (persistent ? 3 : 1); ++turn) {
    if (persistent) MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 2 * count; ++i) {
      CHECK_EQ(in[static_cast<std::size_t>(i)], i % 2 == 0 ? left() : -1);
    }
  }
  if (persistent) {
    for (MPI_Request& request : requests) MPI_Request_free(&request);
  }
  for (MPI_Datatype& other : others) MPI_Type_free(&other);
}

void parts_freed_first() {
  check::set_case("a type outlives what it was made of");
  MPI_Datatype inner = every_second(3), outer;
  MPI_Type_contiguous(2, inner, &outer);
  MPI_Type_free(&inner);
  types::check_type(outer, {{0, 4}, {8, 4}, {16, 4}, {20, 4}, {28, 4}, {36, 4}}, 0, 40);
  int integers[1];
  MPI_Aint addresses[1];
  MPI_Type_get_contents(outer, 1, 0, 1, integers, addresses, &inner);
  MPI_Type_free(&outer);
  types::check_type(inner, {{0, 4}, {8, 4}, {16, 4}}, 0, 20);
  MPI_Type_free(&inner);
}

std::string name_of(MPI_Datatype type) {
  char name[MPI_MAX_OBJECT_NAME];
  int length = -1;
  MPI_Type_get_name(type, name, &length);
  CHECK_EQ(static_cast<std::size_t>(length), std::strlen(name));
  return name;
}

void names() {
  check::set_case("names");
  CHECK_EQ(name_of(MPI_INT), std::string("MPI_INT"));
  CHECK_EQ(name_of(MPI_DOUBLE_INT), std::string("MPI_DOUBLE_INT"));
  if (check::on_atoll()) CHECK_EQ(name_of(MPI_C_COMPLEX), std::string("MPI_C_COMPLEX"));
  if (check::on_atoll()) CHECK_EQ(name_of(MPI_DATATYPE_NULL), std::string("MPI_DATATYPE_NULL"));
  MPI_Datatype type = every_second(2), copy;
  CHECK_EQ(name_of(type), std::string());
  MPI_Type_set_name(type, "every second");
  MPI_Type_dup(type, &copy);
  CHECK_EQ(name_of(type), std::string("every second"));
  CHECK_EQ(name_of(copy), std::string());
  const std::string longest(MPI_MAX_OBJECT_NAME - 1, 'x');
  MPI_Type_set_name(copy, longest.c_str());
  CHECK_EQ(name_of(copy), longest);
  MPI_Type_free(&type);
  MPI_Type_free(&copy);
}

int copies = 0, deletions = 0;

int copy_attribute(MPI_Datatype, int, void* extra, void* value, void* copied, int* flag) {
  ++copies;
  *static_cast<void**>(copied) = static_cast<char*>(value) + 1;
  *flag = 1;
  return extra == nullptr ? MPI_SUCCESS : MPI_ERR_OTHER;
}

int delete_attribute(MPI_Datatype, int, void*, void* refuses) {
  ++deletions;
  return refuses == nullptr || !*static_cast<bool*>(refuses) ? MPI_SUCCESS : MPI_ERR_OTHER;
}

void* attribute_of(MPI_Datatype type, int keyval) {
  void* value = nullptr;
  int flag = -1;
  MPI_Type_get_attr(type, keyval, &value, &flag);
  return flag ? value : nullptr;
}

void attributes() {
  check::set_case("attributes");
  char memory[4];
  int keyval, uncopied;
  MPI_Type_create_keyval(copy_attribute, delete_attribute, &keyval, nullptr);
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &uncopied, nullptr);
  MPI_Datatype type = every_second(2), copy;
  MPI_Type_set_attr(type, keyval, memory);
  MPI_Type_set_attr(type, uncopied, memory);
  MPI_Type_dup(type, &copy);
  CHECK_EQ(copies, 1);
  CHECK(attribute_of(type, keyval) == memory);
  CHECK(attribute_of(copy, keyval) == memory + 1);
  CHECK(attribute_of(copy, uncopied) == nullptr);
  MPI_Type_free(&type);
  // MPICH deletes a type's attributes when the last type made of it ends.
  if (check::on_atoll()) CHECK_EQ(deletions, 1);
  const int before = deletions;
  MPI_Type_delete_attr(copy, keyval);
  CHECK_EQ(deletions, before + 1);
  MPI_Type_free(&copy);
  CHECK_EQ(deletions, 2);
  MPI_Type_set_attr(MPI_INT, keyval, memory);
  CHECK(attribute_of(MPI_INT, keyval) == memory);
  CHECK(attribute_of(MPI_FLOAT, keyval) == nullptr);
  MPI_Type_delete_attr(MPI_INT, keyval);
  MPI_Type_free_keyval(&keyval);
  MPI_Type_free_keyval(&uncopied);
}

// 7.7.2: a keyval exists until the last attribute is gone.
void attributes_after_free() {
  check::set_case("a keyval that was freed");
  char memory[4];
  int keyval;
  copies = deletions = 0;
  MPI_Type_create_keyval(copy_attribute, delete_attribute, &keyval, nullptr);
  const int number = keyval;
  MPI_Datatype type = every_second(2), copy = MPI_DATATYPE_NULL;
  MPI_Type_set_attr(type, number, memory);
  MPI_Type_free_keyval(&keyval);
  MPI_Type_dup(type, &copy);
  CHECK_EQ(copies, 1);
  CHECK(attribute_of(copy, number) == memory + 1);
  CHECK_EQ(MPI_Type_delete_attr(type, number), MPI_SUCCESS);
  CHECK_EQ(deletions, 1);
  MPI_Type_free(&copy);
  CHECK_EQ(deletions, 2);
  MPI_Type_free(&type);
  CHECK_EQ(deletions, 2);
}

// A callback that fails: no copy, and the type stays.
void failing_callbacks() {
  check::set_case("callbacks that fail");
  check::return_errors();
  int keyval;
  bool refuses = true;
  MPI_Type_create_keyval(copy_attribute, delete_attribute, &keyval, &refuses);
  MPI_Datatype type = every_second(2), copy = MPI_DATATYPE_NULL;
  MPI_Type_set_attr(type, keyval, nullptr);
  CHECK(MPI_Type_dup(type, &copy) != MPI_SUCCESS);
  CHECK(MPI_Type_free(&type) != MPI_SUCCESS);
  CHECK(type != MPI_DATATYPE_NULL);
  types::check_bounds(type, 0, 12);
  refuses = false;
  MPI_Type_free(&type);
  MPI_Type_free_keyval(&keyval);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  for (const int count : {1, 5, 1000, 20000, 600000}) {
    if (count > 100000 && check::size > 4) continue;
    for (const bool persistent : {false, true}) freed_under_way(count, persistent);
  }
  parts_freed_first();
  names();
  attributes();
  if (check::on_atoll()) attributes_after_free();
  if (check::on_atoll()) failing_callbacks();  // MPICH does not ask the callback that early
  return check::finish();
}
