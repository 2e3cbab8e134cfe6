"""The meaning of a parameter's kind: its C type, its check, and how it is passed on.

The two dictionaries here, C_TYPES and CHECKS, define all kinds for the generator.
Kinds are those of the MPI Forum's procedure data.
"""

from dataclasses import dataclass

# Kinds that are an int in every form.
_INT_KINDS = """
    ACCESS_MODE ARGUMENT_COUNT ARRAY_LENGTH ARRAY_LENGTH_NNI ARRAY_LENGTH_PI ASSERT BIND_TYPE
    CAT_INDEX COLOR COMBINER COMM_COMPARISON COMM_SIZE COMM_SIZE_PI COORDINATE CVAR_INDEX
    CVAR_INDEX_SPECIAL DEGREE DIMENSION DISTRIB_ENUM DTYPE_DISTRIBUTION ERROR_CLASS ERROR_CODE
    EVENT_INDEX FILE_DESCRIPTOR GENERIC_DTYPE_INT GROUP_COMPARISON INDEX INFO_VALUE_LENGTH KEY
    KEYVAL KEY_INDEX LOCK_TYPE LOGICAL LOGICAL_OPTIONAL MATH NUM_BYTES_SMALL NUM_DIMS ORDER
    PARTITION PROCESS_GRID_SIZE PVAR_CLASS PVAR_INDEX RANK RANK_NNI SOURCE_INDEX SPLIT_TYPE
    STRING_LENGTH TAG THREAD_LEVEL TOOLENUM_INDEX TOOLENUM_SIZE TOOLS_NUM_ELEM_SMALL
    TOOL_VAR_VALUE TOOL_VAR_VERBOSITY TOPOLOGY_TYPE TYPECLASS TYPECLASS_SIZE UPDATE_MODE
    UPDATE_NUMBER VARIABLE_SCOPE VERSION WEIGHT
""".split()

# kind -> C type, or (C type in the plain form, C type in the large-count form).
C_TYPES = {kind: "int" for kind in _INT_KINDS} | {
    "INTEGER_HANDLE": "int",  # not a kind of the Forum's data
    "ALLOC_MEM_NUM_BYTES": "MPI_Aint",
    "ARGUMENT_LIST": "char **",
    "ATTRIBUTE_VAL": "void *",
    "ATTRIBUTE_VAL_10": "void *",
    "BUFFER": "void *",
    "CALLBACK_SAFETY": "MPI_T_cb_safety",
    "COMMUNICATOR": "MPI_Comm",
    "CVAR": "MPI_T_cvar_handle",
    "C_BUFFER": "void *",
    "C_BUFFER2": "void *",
    "DATATYPE": "MPI_Datatype",
    "DISPLACEMENT": "MPI_Aint",
    "DISPLACEMENT_NNI": "MPI_Aint",
    "ERRHANDLER": "MPI_Errhandler",
    "EVENT_CB_FUNCTION": "MPI_T_event_cb_function",
    "EVENT_DROP_CB_FUNCTION": "MPI_T_event_dropped_cb_function",
    "EVENT_FREE_CB_FUNCTION": "MPI_T_event_free_cb_function",
    "EVENT_INSTANCE": "MPI_T_event_instance",
    "EVENT_REGISTRATION": "MPI_T_event_registration",
    "EXTRA_STATE": "void *",
    "EXTRA_STATE2": "void *",
    "FILE": "MPI_File",
    "FUNCTION": "{role} *",
    "GENERIC_DTYPE_COUNT": "MPI_Count",
    "GROUP": "MPI_Group",
    "INFO": "MPI_Info",
    "LOCATION_SMALL": "MPI_Aint",
    "MESSAGE": "MPI_Message",
    "NUM_BYTES": "MPI_Count",
    "OFFSET": "MPI_Offset",
    "OPERATION": "MPI_Op",
    "POLYDISPLACEMENT": ("int", "MPI_Aint"),
    "POLYDISPLACEMENT_AINT_COUNT": ("MPI_Aint", "MPI_Count"),
    "POLYDISPLACEMENT_COUNT": ("int", "MPI_Count"),
    "POLYDISPOFFSET": ("MPI_Aint", "MPI_Count"),
    "POLYDTYPE_NUM_ELEM": ("int", "MPI_Count"),
    "POLYDTYPE_NUM_ELEM_NNI": ("int", "MPI_Count"),
    "POLYDTYPE_NUM_ELEM_PI": ("int", "MPI_Count"),
    "POLYDTYPE_PACK_SIZE": ("MPI_Aint", "MPI_Count"),
    "POLYDTYPE_STRIDE_BYTES": ("MPI_Aint", "MPI_Count"),
    "POLYFUNCTION": ("{role} *", "{role}_c *"),
    "POLYLOCATION": ("MPI_Aint", "MPI_Count"),
    "POLYNUM_BYTES": ("int", "MPI_Count"),
    "POLYNUM_BYTES_NNI": ("int", "MPI_Count"),
    "POLYNUM_PARAM_VALUES": ("int", "MPI_Count"),
    "POLYRMA_DISPLACEMENT": ("int", "MPI_Aint"),
    "POLYXFER_NUM_ELEM": ("int", "MPI_Count"),
    "POLYXFER_NUM_ELEM_NNI": ("int", "MPI_Count"),
    "PROFILE_LEVEL": "const int",
    "PVAR": "MPI_T_pvar_handle",
    "PVAR_SESSION": "MPI_T_pvar_session",
    "REQUEST": "MPI_Request",
    "RMA_DISPLACEMENT_NNI": "MPI_Aint",
    "SESSION": "MPI_Session",
    "SOURCE_ORDERING": "MPI_T_source_order",
    "STATUS": "MPI_Status",
    "STRING": "char *",
    "STRING_2DARRAY": "char ***",
    "STRING_ARRAY": "char **",
    "TOOLS_ENUM": "MPI_T_enum",
    "TOOLS_TICK_COUNT": "MPI_Count",
    "TOOL_MPI_OBJ": "void *",
    "VARARGS": "...",
    "WINDOW": "MPI_Win",
    "WINDOW_SIZE": "MPI_Aint",
    "WIN_ATTACH_SIZE": "MPI_Aint",
    "XFER_NUM_ELEM": "MPI_Count",
}

# Kinds whose argument is already an address: an output needs no additional star.
MEMORY_KINDS = frozenset("""
    ATTRIBUTE_VAL ATTRIBUTE_VAL_10 BUFFER C_BUFFER C_BUFFER2 EXTRA_STATE EXTRA_STATE2 FUNCTION
    POLYFUNCTION STRING TOOL_MPI_OBJ
""".split())

# Memory that the callee only reads when the parameter is an input.
_CONST_MEMORY = frozenset(("BUFFER", "STRING"))


def c_type(parameter, large):
    """The C type of one value of the parameter: 'int', 'MPI_Comm', 'void *'."""
    type_ = C_TYPES[parameter.kind]
    if isinstance(type_, tuple):
        type_ = type_[large]
    return type_.format(role=parameter.role)


def declarator(parameter, large):
    """The parameter in a prototype: 'const int recvcounts[]'."""
    type_ = c_type(parameter, large)
    name, words = parameter.name, parameter.words
    if parameter.kind == "VARARGS":
        return "..."
    if parameter.kind in MEMORY_KINDS:
        read_only = parameter.direction == "in" and parameter.kind in _CONST_MEMORY
        return _const(read_only and "nonconst" not in words) + _join(type_, name)
    by_address = parameter.is_output or "pointer" in words or parameter.kind == "STATUS"
    read_only = parameter.direction == "in" and not words & {"nonconst", "pointer"}
    if parameter.lengths:
        inner = "".join(f"[{length}]" for length in parameter.lengths[1:])
        return f"{_const(read_only)}{_join(type_, name)}[]{inner}"
    if by_address:
        return _const(read_only) + _join(_join(type_, "*"), name)
    return _join(type_, name)


def _const(wanted):
    return "const " if wanted else ""


def _join(type_, name):
    return type_ + name if type_.endswith("*") else f"{type_} {name}"


@dataclass(frozen=True)
class Check:
    """A check of the argument, in C++: check::<function>(<name>, "<name>", ...)."""

    function: str
    finds: str = ""  # type of the object behind the handle, which the check looks up
    passes: bool = True  # the object, in place of the handle, to the hand-written function
    within: bool = False  # the check needs the communicator
    by_address: bool = False  # the object is passed as a pointer, null when there is none


# The checks before the hand-written function is called: "DIRECTION KIND[/ROLE]" -> Check.
# Other outputs and arrays must not be null (check_of). Other inputs are not
# checked here: any value is valid, or the hand-written function checks it.
CHECKS = {
    "in ALLOC_MEM_NUM_BYTES": Check("size"),
    "in ARRAY_LENGTH": Check("count"),
    "in ARRAY_LENGTH_NNI": Check("count"),
    "in COMMUNICATOR": Check("communicator", finds="Communicator"),
    "in COMMUNICATOR/local": Check("local_communicator", finds="Communicator"),
    "in COMMUNICATOR/or_null": Check("communicator_or_null", finds="Communicator", by_address=True),
    "inout COMMUNICATOR": Check("communicator_at", finds="Communicator", passes=False),
    "in DATATYPE": Check("datatype", finds="const Datatype"),
    "in DATATYPE/handle": Check("datatype", finds="const Datatype", passes=False),
    "in DATATYPE/object": Check("datatype_object", finds="TypeObject"),
    "in DATATYPE/or_null": Check("datatype_or_null", finds="const Datatype", by_address=True),
    "inout DATATYPE": Check("datatype_at"),
    "in ERRHANDLER/comm": Check("errhandler<MPI_Comm>", finds="Errhandler"),
    "in ERRHANDLER/file": Check("errhandler<MPI_File>", finds="Errhandler"),
    "in ERRHANDLER/session": Check("errhandler<MPI_Session>", finds="Errhandler"),
    "in ERRHANDLER/win": Check("errhandler<MPI_Win>", finds="Errhandler"),
    "inout ERRHANDLER": Check("errhandler_at"),
    "in FILE/or_null": Check("file_or_null", finds="File"),
    "in FUNCTION/MPI_Comm_errhandler_function": Check("function"),
    "in FUNCTION/MPI_File_errhandler_function": Check("function"),
    "in FUNCTION/MPI_Grequest_cancel_function": Check("function"),
    "in FUNCTION/MPI_Grequest_free_function": Check("function"),
    "in FUNCTION/MPI_Grequest_query_function": Check("function"),
    "in FUNCTION/MPI_Handler_function": Check("function"),
    "in FUNCTION/MPI_Session_errhandler_function": Check("function"),
    "in FUNCTION/MPI_Win_errhandler_function": Check("function"),
    "in GROUP": Check("group", finds="Group"),
    "in OPERATION": Check("operation", finds="const Op"),
    "inout OPERATION": Check("operation_at"),
    "in POLYFUNCTION/MPI_User_function": Check("function"),
    "inout GROUP": Check("group_at"),
    "in INFO": Check("hints", finds="const Info"),
    "in INFO/read": Check("info", finds="const Info"),
    "in INFO/own": Check("own_info", finds="Info"),
    "inout INFO/own": Check("own_info_at"),
    "in POLYDTYPE_NUM_ELEM/count": Check("count"),
    "in POLYDTYPE_NUM_ELEM_NNI": Check("count"),
    "in POLYDTYPE_NUM_ELEM_NNI/length": Check("size"),
    "in POLYDTYPE_PACK_SIZE": Check("size"),
    "in POLYNUM_BYTES_NNI": Check("size"),
    "in POLYXFER_NUM_ELEM": Check("count"),
    "in POLYXFER_NUM_ELEM_NNI": Check("count"),
    "in RANK/dest": Check("destination", within=True),
    "in RANK/member": Check("member", within=True),
    "in RANK/root": Check("root", within=True),
    "in RANK/source": Check("source", within=True),
    "in SESSION": Check("session", finds="Session"),
    "inout SESSION": Check("session_at", finds="Session", passes=False),
    "in STATUS": Check("address"),
    "in STRING": Check("address"),
    "in TAG/receive": Check("receive_tag"),
    "in TAG/send": Check("send_tag"),
    "in THREAD_LEVEL": Check("thread_level"),
    "in WINDOW/or_null": Check("window_or_null", finds="Window", by_address=True),
    "in WINDOW": Check("window", finds="Window"),
    "inout WINDOW": Check("window_at", finds="Window", passes=False),
    "in XFER_NUM_ELEM": Check("count"),
}

# For arguments that the hand-written function checks, since it knows whether they are significant.
DEFERRED_CHECKS = {
    "DATATYPE": Check("datatype_if_any", finds="const Datatype", by_address=True),
}

# The role of a keyval is its kind of object, with own_ where predefined keyvals are not
# allowed.
for _role, _handle in {"comm": "MPI_Comm", "type": "MPI_Datatype", "win": "MPI_Win"}.items():
    CHECKS |= {
        f"in KEYVAL/{_role}": Check("keyval", finds=f"Keyval<{_handle}>"),
        f"in KEYVAL/own_{_role}": Check("own_keyval", finds=f"Keyval<{_handle}>"),
        f"inout KEYVAL/own_{_role}": Check(f"own_keyval_at<{_handle}>"),
    }

# Outputs that may be null: MPI_STATUS_IGNORE, and main's argc and argv.
_NULLABLE = frozenset(("out STATUS", "inout ARGUMENT_COUNT", "inout ARGUMENT_LIST"))

# A value that does not fit into the int of the plain form is reported as
# MPI_UNDEFINED (MPI 5.0, 3.2.5, 5.1.5, 5.1.11); with other kinds it is an error.
UNDEFINED_WHEN_LARGE = frozenset(("POLYDTYPE_NUM_ELEM", "POLYXFER_NUM_ELEM"))


# Kinds of the number of elements of a buffer.
_COUNTS = frozenset("""
    POLYDTYPE_NUM_ELEM POLYDTYPE_NUM_ELEM_NNI POLYXFER_NUM_ELEM POLYXFER_NUM_ELEM_NNI
""".split())


def check_of(parameter):
    """The Check of the parameter, or None."""
    if "deferred" in parameter.words:
        return DEFERRED_CHECKS.get(parameter.full_kind) if not parameter.lengths else None
    key = f"{parameter.direction} {parameter.full_kind}"
    if parameter.kind == "BUFFER" or key in _NULLABLE:
        return None
    if parameter.lengths and parameter.kind not in MEMORY_KINDS:
        return Check("array") if parameter.lengths[0] != "*" else Check("address")
    default = Check("address") if parameter.is_output or "pointer" in parameter.words else None
    return CHECKS.get(key, default)


def is_count(parameter):
    """Is the parameter the number of elements of a buffer?"""
    return parameter.kind in _COUNTS and parameter.direction == "in" and not parameter.lengths


def narrowed(parameter, large):
    """Does this form return an int where the hand-written function returns a wider type?"""
    return (isinstance(C_TYPES[parameter.kind], tuple) and parameter.is_output
            and c_type(parameter, large) == "int")
