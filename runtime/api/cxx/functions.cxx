# The functions of the C++ bindings of MPI-2.2 (its annex A.4), by class. The generator inserts
# them into mpicxx.h.in to make mpicxx.h; docs/api-table.md explains both.
#
#   class NAME [HANDLE]
#       the functions up to the next such line are members of it; HANDLE is its C type.
#       Without a name: functions of the namespace.
#   C_NAME  PROTOTYPE
#       C_NAME without MPI_. Arguments have the same names as in functions.api. C has
#       additional ones: the object itself, the result, and the status of an overload
#       without one.

class
Buffer_attach           void Attach_buffer(void* buffer, int size)
Buffer_detach           int Detach_buffer(void*& buffer_addr)
Dims_create             void Compute_dims(int nnodes, int ndims, int dims[])
Get_address             Aint Get_address(void* location)
Alloc_mem               void* Alloc_mem(Aint size, const Info& info)
Free_mem                void Free_mem(void* base)
Init                    void Init(int& argc, char**& argv)
Init                    void Init()
Init_thread             int Init_thread(int& argc, char**& argv, int required)
Init_thread             int Init_thread(int required)
Is_thread_main          bool Is_thread_main()
Query_thread            int Query_thread()
Initialized             bool Is_initialized()
Finalize                void Finalize()
Finalized               bool Is_finalized()
Get_processor_name      void Get_processor_name(char* name, int& resultlen)
Get_version             void Get_version(int& version, int& subversion)
Error_string            void Get_error_string(int errorcode, char* string, int& resultlen)
Error_class             int Get_error_class(int errorcode)
Add_error_class         int Add_error_class()
Add_error_code          int Add_error_code(int errorclass)
Add_error_string        void Add_error_string(int errorcode, const char* string)
Wtime                   double Wtime()
Wtick                   double Wtick()

class Comm MPI_Comm
Send                    void Send(const void* buf, int count, const Datatype& datatype, int dest, int tag) const
Bsend                   void Bsend(const void* buf, int count, const Datatype& datatype, int dest, int tag) const
Ssend                   void Ssend(const void* buf, int count, const Datatype& datatype, int dest, int tag) const
Rsend                   void Rsend(const void* buf, int count, const Datatype& datatype, int dest, int tag) const
Recv                    void Recv(void* buf, int count, const Datatype& datatype, int source, int tag, Status& status) const
Recv                    void Recv(void* buf, int count, const Datatype& datatype, int source, int tag) const
Isend                   Request Isend(const void* buf, int count, const Datatype& datatype, int dest, int tag) const
Ibsend                  Request Ibsend(const void* buf, int count, const Datatype& datatype, int dest, int tag) const
Issend                  Request Issend(const void* buf, int count, const Datatype& datatype, int dest, int tag) const
Irsend                  Request Irsend(const void* buf, int count, const Datatype& datatype, int dest, int tag) const
Irecv                   Request Irecv(void* buf, int count, const Datatype& datatype, int source, int tag) const
Iprobe                  bool Iprobe(int source, int tag, Status& status) const
Iprobe                  bool Iprobe(int source, int tag) const
Probe                   void Probe(int source, int tag, Status& status) const
Probe                   void Probe(int source, int tag) const
Send_init               Prequest Send_init(const void* buf, int count, const Datatype& datatype, int dest, int tag) const
Bsend_init              Prequest Bsend_init(const void* buf, int count, const Datatype& datatype, int dest, int tag) const
Ssend_init              Prequest Ssend_init(const void* buf, int count, const Datatype& datatype, int dest, int tag) const
Rsend_init              Prequest Rsend_init(const void* buf, int count, const Datatype& datatype, int dest, int tag) const
Recv_init               Prequest Recv_init(void* buf, int count, const Datatype& datatype, int source, int tag) const
Sendrecv                void Sendrecv(const void* sendbuf, int sendcount, const Datatype& sendtype, int dest, int sendtag, void* recvbuf, int recvcount, const Datatype& recvtype, int source, int recvtag, Status& status) const
Sendrecv                void Sendrecv(const void* sendbuf, int sendcount, const Datatype& sendtype, int dest, int sendtag, void* recvbuf, int recvcount, const Datatype& recvtype, int source, int recvtag) const
Sendrecv_replace        void Sendrecv_replace(void* buf, int count, const Datatype& datatype, int dest, int sendtag, int source, int recvtag, Status& status) const
Sendrecv_replace        void Sendrecv_replace(void* buf, int count, const Datatype& datatype, int dest, int sendtag, int source, int recvtag) const
Barrier                 void Barrier() const
Bcast                   void Bcast(void* buffer, int count, const Datatype& datatype, int root) const
Gather                  void Gather(const void* sendbuf, int sendcount, const Datatype& sendtype, void* recvbuf, int recvcount, const Datatype& recvtype, int root) const
Gatherv                 void Gatherv(const void* sendbuf, int sendcount, const Datatype& sendtype, void* recvbuf, const int recvcounts[], const int displs[], const Datatype& recvtype, int root) const
Scatter                 void Scatter(const void* sendbuf, int sendcount, const Datatype& sendtype, void* recvbuf, int recvcount, const Datatype& recvtype, int root) const
Scatterv                void Scatterv(const void* sendbuf, const int sendcounts[], const int displs[], const Datatype& sendtype, void* recvbuf, int recvcount, const Datatype& recvtype, int root) const
Allgather               void Allgather(const void* sendbuf, int sendcount, const Datatype& sendtype, void* recvbuf, int recvcount, const Datatype& recvtype) const
Allgatherv              void Allgatherv(const void* sendbuf, int sendcount, const Datatype& sendtype, void* recvbuf, const int recvcounts[], const int displs[], const Datatype& recvtype) const
Alltoall                void Alltoall(const void* sendbuf, int sendcount, const Datatype& sendtype, void* recvbuf, int recvcount, const Datatype& recvtype) const
Alltoallv               void Alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[], const Datatype& sendtype, void* recvbuf, const int recvcounts[], const int rdispls[], const Datatype& recvtype) const
Alltoallw               void Alltoallw(const void* sendbuf, const int sendcounts[], const int sdispls[], const Datatype sendtypes[], void* recvbuf, const int recvcounts[], const int rdispls[], const Datatype recvtypes[]) const
Reduce                  void Reduce(const void* sendbuf, void* recvbuf, int count, const Datatype& datatype, const Op& op, int root) const
Allreduce               void Allreduce(const void* sendbuf, void* recvbuf, int count, const Datatype& datatype, const Op& op) const
Reduce_scatter          void Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[], const Datatype& datatype, const Op& op) const
Reduce_scatter_block    void Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount, const Datatype& datatype, const Op& op) const
Comm_group              Group Get_group() const
Comm_size               int Get_size() const
Comm_rank               int Get_rank() const
Comm_compare            static int Compare(const Comm& comm1, const Comm& comm2)
Comm_free               void Free()
Comm_disconnect         void Disconnect()
Comm_get_parent         static Intercomm Get_parent()
Comm_test_inter         bool Is_inter() const
Topo_test               int Get_topology() const
Abort                   void Abort(int errorcode)
Comm_get_name           void Get_name(char* comm_name, int& resultlen) const
Comm_set_name           void Set_name(const char* comm_name)
Comm_free_keyval        static void Free_keyval(int& comm_keyval)
Comm_set_attr           void Set_attr(int comm_keyval, const void* attribute_val) const
Comm_get_attr           bool Get_attr(int comm_keyval, void* attribute_val) const
Comm_delete_attr        void Delete_attr(int comm_keyval)
Comm_call_errhandler    void Call_errhandler(int errorcode) const

class Intracomm MPI_Comm
Comm_dup                Intracomm Dup() const
Comm_create             Intracomm Create(const Group& group) const
Comm_split              Intracomm Split(int color, int key) const
Scan                    void Scan(const void* sendbuf, void* recvbuf, int count, const Datatype& datatype, const Op& op) const
Exscan                  void Exscan(const void* sendbuf, void* recvbuf, int count, const Datatype& datatype, const Op& op) const
Intercomm_create        Intercomm Create_intercomm(int local_leader, const Comm& peer_comm, int remote_leader, int tag) const
Cart_create             Cartcomm Create_cart(int ndims, const int dims[], const bool periods[], bool reorder) const
Graph_create            Graphcomm Create_graph(int nnodes, const int indx[], const int edges[], bool reorder) const
Dist_graph_create_adjacent  Distgraphcomm Dist_graph_create_adjacent(int indegree, const int sources[], const int sourceweights[], int outdegree, const int destinations[], const int destweights[], const Info& info, bool reorder) const
Dist_graph_create_adjacent  Distgraphcomm Dist_graph_create_adjacent(int indegree, const int sources[], int outdegree, const int destinations[], const Info& info, bool reorder) const
Dist_graph_create       Distgraphcomm Dist_graph_create(int n, const int sources[], const int degrees[], const int destinations[], const int weights[], const Info& info, bool reorder) const
Dist_graph_create       Distgraphcomm Dist_graph_create(int n, const int sources[], const int degrees[], const int destinations[], const Info& info, bool reorder) const

class Intercomm MPI_Comm
Comm_dup                Intercomm Dup() const
Comm_create             Intercomm Create(const Group& group) const
Comm_split              Intercomm Split(int color, int key) const
Comm_remote_size        int Get_remote_size() const
Comm_remote_group       Group Get_remote_group() const
Intercomm_merge         Intracomm Merge(bool high) const

class Cartcomm MPI_Comm
Comm_dup                Cartcomm Dup() const
Cartdim_get             int Get_dim() const
Cart_get                void Get_topo(int maxdims, int dims[], bool periods[], int coords[]) const
Cart_rank               int Get_cart_rank(const int coords[]) const
Cart_coords             void Get_coords(int rank, int maxdims, int coords[]) const
Cart_shift              void Shift(int direction, int disp, int& rank_source, int& rank_dest) const
Cart_sub                Cartcomm Sub(const bool remain_dims[]) const
Cart_map                int Map(int ndims, const int dims[], const bool periods[]) const

class Graphcomm MPI_Comm
Comm_dup                Graphcomm Dup() const
Graphdims_get           void Get_dims(int nnodes[], int nedges[]) const
Graph_get               void Get_topo(int maxindex, int maxedges, int indx[], int edges[]) const
Graph_neighbors_count   int Get_neighbors_count(int rank) const
Graph_neighbors         void Get_neighbors(int rank, int maxneighbors, int neighbors[]) const
Graph_map               int Map(int nnodes, const int indx[], const int edges[]) const

class Distgraphcomm MPI_Comm
Comm_dup                Distgraphcomm Dup() const
Dist_graph_neighbors_count  void Get_dist_neighbors_count(int& indegree, int& outdegree, bool& weighted) const
Dist_graph_neighbors    void Get_dist_neighbors(int maxindegree, int sources[], int sourceweights[], int maxoutdegree, int destinations[], int destweights[])

class Group MPI_Group
Group_size              int Get_size() const
Group_rank              int Get_rank() const
Group_translate_ranks   static void Translate_ranks(const Group& group1, int n, const int ranks1[], const Group& group2, int ranks2[])
Group_compare           static int Compare(const Group& group1, const Group& group2)
Group_union             static Group Union(const Group& group1, const Group& group2)
Group_intersection      static Group Intersect(const Group& group1, const Group& group2)
Group_difference        static Group Difference(const Group& group1, const Group& group2)
Group_incl              Group Incl(int n, const int ranks[]) const
Group_excl              Group Excl(int n, const int ranks[]) const
Group_range_incl        Group Range_incl(int n, const int ranges[][3]) const
Group_range_excl        Group Range_excl(int n, const int ranges[][3]) const
Group_free              void Free()

class Datatype MPI_Datatype
Type_contiguous         Datatype Create_contiguous(int count) const
Type_vector             Datatype Create_vector(int count, int blocklength, int stride) const
Type_create_hvector     Datatype Create_hvector(int count, int blocklength, Aint stride) const
Type_indexed            Datatype Create_indexed(int count, const int array_of_blocklengths[], const int array_of_displacements[]) const
Type_create_hindexed    Datatype Create_hindexed(int count, const int array_of_blocklengths[], const Aint array_of_displacements[]) const
Type_create_indexed_block  Datatype Create_indexed_block(int count, int blocklength, const int array_of_displacements[]) const
Type_create_struct      static Datatype Create_struct(int count, const int array_of_blocklengths[], const Aint array_of_displacements[], const Datatype array_of_types[])
Type_create_subarray    Datatype Create_subarray(int ndims, const int array_of_sizes[], const int array_of_subsizes[], const int array_of_starts[], int order) const
Type_create_darray      Datatype Create_darray(int size, int rank, int ndims, const int array_of_gsizes[], const int array_of_distribs[], const int array_of_dargs[], const int array_of_psizes[], int order) const
Type_create_resized     Datatype Create_resized(const Aint lb, const Aint extent) const
Type_create_f90_complex  static Datatype Create_f90_complex(int p, int r)
Type_create_f90_integer  static Datatype Create_f90_integer(int r)
Type_create_f90_real    static Datatype Create_f90_real(int p, int r)
Type_match_size         static Datatype Match_size(int typeclass, int size)
Type_dup                Datatype Dup() const
Type_commit             void Commit()
Type_free               void Free()
Type_size               int Get_size() const
Type_get_extent         void Get_extent(Aint& lb, Aint& extent) const
Type_get_true_extent    void Get_true_extent(Aint& true_lb, Aint& true_extent) const
Type_get_envelope       void Get_envelope(int& num_integers, int& num_addresses, int& num_datatypes, int& combiner) const
Type_get_contents       void Get_contents(int max_integers, int max_addresses, int max_datatypes, int array_of_integers[], Aint array_of_addresses[], Datatype array_of_datatypes[]) const
Type_get_name           void Get_name(char* type_name, int& resultlen) const
Type_set_name           void Set_name(const char* type_name)
Type_free_keyval        static void Free_keyval(int& type_keyval)
Type_set_attr           void Set_attr(int type_keyval, const void* attribute_val)
Type_get_attr           bool Get_attr(int type_keyval, void* attribute_val) const
Type_delete_attr        void Delete_attr(int type_keyval)
Pack                    void Pack(const void* inbuf, int incount, void* outbuf, int outsize, int& position, const Comm& comm) const
Unpack                  void Unpack(const void* inbuf, int insize, void* outbuf, int outcount, int& position, const Comm& comm) const
Pack_size               int Pack_size(int incount, const Comm& comm) const
Pack_external           void Pack_external(const char* datarep, const void* inbuf, int incount, void* outbuf, Aint outsize, Aint& position) const
Unpack_external         void Unpack_external(const char* datarep, const void* inbuf, Aint insize, Aint& position, void* outbuf, int outcount) const
Pack_external_size      Aint Pack_external_size(const char* datarep, int incount) const

class Op MPI_Op
Op_free                 void Free()
Op_commutative          bool Is_commutative() const
Reduce_local            void Reduce_local(const void* inbuf, void* inoutbuf, int count, const Datatype& datatype) const

class Request MPI_Request
Wait                    void Wait(Status& status)
Wait                    void Wait()
Test                    bool Test(Status& status)
Test                    bool Test()
Request_free            void Free()
Cancel                  void Cancel() const
Request_get_status      bool Get_status(Status& status) const
Request_get_status      bool Get_status() const
Waitany                 static int Waitany(int count, Request array_of_requests[], Status& status)
Waitany                 static int Waitany(int count, Request array_of_requests[])
Testany                 static bool Testany(int count, Request array_of_requests[], int& indx, Status& status)
Testany                 static bool Testany(int count, Request array_of_requests[], int& indx)
Waitall                 static void Waitall(int count, Request array_of_requests[], Status array_of_statuses[])
Waitall                 static void Waitall(int count, Request array_of_requests[])
Testall                 static bool Testall(int count, Request array_of_requests[], Status array_of_statuses[])
Testall                 static bool Testall(int count, Request array_of_requests[])
Waitsome                static int Waitsome(int incount, Request array_of_requests[], int array_of_indices[], Status array_of_statuses[])
Waitsome                static int Waitsome(int incount, Request array_of_requests[], int array_of_indices[])
Testsome                static int Testsome(int incount, Request array_of_requests[], int array_of_indices[], Status array_of_statuses[])
Testsome                static int Testsome(int incount, Request array_of_requests[], int array_of_indices[])

class Prequest MPI_Request
Start                   void Start()
Startall                static void Startall(int count, Prequest array_of_requests[])

class Grequest MPI_Request
Grequest_complete       void Complete()

class Status MPI_Status
Get_count               int Get_count(const Datatype& datatype) const
Get_elements            int Get_elements(const Datatype& datatype) const
Test_cancelled          bool Is_cancelled() const
Status_set_elements     void Set_elements(const Datatype& datatype, int count)
Status_set_cancelled    void Set_cancelled(bool flag)

class Errhandler MPI_Errhandler
Errhandler_free         void Free()

class Info MPI_Info
Info_create             static Info Create()
Info_delete             void Delete(const char* key)
Info_dup                Info Dup() const
Info_free               void Free()
Info_get                bool Get(const char* key, int valuelen, char* value) const
Info_get_nkeys          int Get_nkeys() const
Info_get_nthkey         void Get_nthkey(int n, char* key) const
Info_get_valuelen       bool Get_valuelen(const char* key, int& valuelen) const
Info_set                void Set(const char* key, const char* value)

class Win MPI_Win
Win_create              static Win Create(const void* base, Aint size, int disp_unit, const Info& info, const Intracomm& comm)
Win_free                void Free()
Win_get_group           Group Get_group() const
Put                     void Put(const void* origin_addr, int origin_count, const Datatype& origin_datatype, int target_rank, Aint target_disp, int target_count, const Datatype& target_datatype) const
Get                     void Get(void* origin_addr, int origin_count, const Datatype& origin_datatype, int target_rank, Aint target_disp, int target_count, const Datatype& target_datatype) const
Accumulate              void Accumulate(const void* origin_addr, int origin_count, const Datatype& origin_datatype, int target_rank, Aint target_disp, int target_count, const Datatype& target_datatype, const Op& op) const
Win_fence               void Fence(int assert) const
Win_start               void Start(const Group& group, int assert) const
Win_complete            void Complete() const
Win_post                void Post(const Group& group, int assert) const
Win_wait                void Wait() const
Win_test                bool Test() const
Win_lock                void Lock(int lock_type, int rank, int assert) const
Win_unlock              void Unlock(int rank) const
Win_get_name            void Get_name(char* win_name, int& resultlen) const
Win_set_name            void Set_name(const char* win_name)
Win_free_keyval         static void Free_keyval(int& win_keyval)
Win_set_attr            void Set_attr(int win_keyval, const void* attribute_val)
Win_get_attr            bool Get_attr(int win_keyval, void* attribute_val) const
Win_delete_attr         void Delete_attr(int win_keyval)
Win_call_errhandler     void Call_errhandler(int errorcode) const

class File MPI_File
File_call_errhandler    void Call_errhandler(int errorcode) const
