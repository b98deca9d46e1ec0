/*
 * lookahead_kernel.cuh - a single-pass scan by a pipeline of shared-memory stages, with look-ahead
 *
 * As many CTAs as the device holds work until no tile is left. Each has some stages of shared
 * memory, and its warps have roles:
 *
 *     one loads: a thread takes the next tile and starts a bulk copy into a free stage;
 *     reducers find a loaded tile's total and publish it at once, and the prefix of each part;
 *     one looks ahead: it adds up the published totals of all tiles before this one;
 *     scanners scan, each its part of the tile, and start a bulk copy of the result to memory.
 *
 * So reading never waits for scanning: while a tile waits for its prefix, those behind it are being
 * loaded and their totals published. A scan with look-back (Merrill and Garland 2016) keeps its
 * tile in registers meanwhile and reads nothing. Here the loads in flight are limited by the stages
 * alone, and the traffic is that of a copy.
 *
 * Why it ends: tiles are taken in ascending order by CTAs that run. Among the tiles that are not
 * finished, the lowest has its stage, or gets it when its CTA's earlier tiles, which are lower, are
 * finished; its total then needs nothing but the bulk copy, and its prefix nothing but totals of
 * lower tiles. A wait inside a CTA therefore ends if those for words of other CTAs do, and these
 * are bounded (lookahead_totals.cuh).
 *
 * A tile begins where 16-byte accesses to the input can, wherever the array begins. A bulk copy
 * moves whole 16 bytes, so the few elements that do not fill 16 bytes, at the array's two ends, are
 * loaded one by one by the warps that need them. If the output is not aligned like the input, or
 * the tile is cut short, a warp stores its results element by element out of the stage.
 *
 * Results may be wider than the elements. Then the stages hold elements alone, so that there are
 * many, and the scanners give a stage back as soon as they have read it. Results go to two rooms of
 * their own in turn; a warp writes to one when its last bulk store out of it has read it.
 *
 * Work about 5½n: the reducers add up a tile, n, the scanners do what the look-back's blocks do,
 * 4¼n, and the totals are added up by each CTA (the test counts).
 *
 * Decoupled look-ahead in CUB (NVIDIA/cccl, issue 6644 and pull request 6811, 2025) is for compute
 * capability 10.0; here without that one's work stealing, and with a fixed order of additions. The
 * barriers of a stage are the pattern of producer and consumers in NVIDIA's CUTLASS
 * (PipelineTmaAsync).
 */
#ifndef LOOKAHEAD_KERNEL_CUH
#define LOOKAHEAD_KERNEL_CUH

#include "cuda_bulk.cuh"
#include "cuda_sync.cuh"
#include "lookahead_tile.cuh"
#include "lookahead_totals.cuh"
#include "lookahead_words.cuh"

/* What the warps owe each other, in one place, so that a test can break one rule at a time. */
struct lookahead_rules {
    /* A ticket for a tile. CTAs take tiles in the order in which they are free for them. */
    static __device__ unsigned take(unsigned *tickets)
    {
        return atomicAdd(tickets, 1u);
    }
    /* By who loads: this many bytes will come into the stage. */
    static __device__ void announce(cuda_phases *loaded, unsigned bytes)
    {
        cuda_phases_announce(loaded, bytes);
    }
    static __device__ void wait_loaded(cuda_phases *loaded, unsigned parity)
    {
        cuda_phases_wait(loaded, parity);
    }
    static __device__ void wait_ready(cuda_phases *ready, unsigned parity)
    {
        cuda_phases_wait(ready, parity);
    }
    static __device__ void wait_free(cuda_phases *free, unsigned parity)
    {
        cuda_phases_wait(free, parity);
    }
    /* By a thread that has written a stage, before a bulk copy reads or overwrites it. */
    static __device__ void fence()
    {
        cuda_bulk_fence();
    }
    /* By the thread that starts bulk stores, before what they read is written again. `but_one`: the
     * newest store may still be reading. */
    static __device__ void wait_stored(bool but_one)
    {
        if (but_one)
            cuda_bulk_wait_read<1>();
        else
            cuda_bulk_wait_read();
    }
    /* What stands before the first tile, in all lanes of the warp that looks ahead. */
    template <typename Op, typename Control>
    static __device__ typename Op::total carry(Op op, const Control &)
    {
        return op.identity();
    }
};

template <typename Op, unsigned LINES, typename Words, typename Rules,
          typename Tile = lookahead_tile<Op, LINES>>
struct lookahead_cta : Tile {
    using T = typename Op::value;
    using total_type = typename Op::total;
    using vector = cuda_vector<T>;
    using lines_type = typename Tile::lines_type;
    using Tile::arrays;
    using Tile::lane;
    using Tile::op;
    using Tile::part_elements;
    using Tile::part_of;
    using Tile::shape;

    const typename Words::control &control;
    lookahead_slot<T> *const slots;

    template <typename... More>
    __device__ lookahead_cta(Op given_op, const typename Tile::arrays_type &given_arrays,
                             const typename Words::control &given_control,
                             const lookahead_shape &given_shape, unsigned char *shared,
                             const More &...more)
        : Tile{given_op, given_arrays, given_shape, reinterpret_cast<vector *>(shared), more...},
          control(given_control), slots(static_cast<lookahead_slot<T> *>(Tile::end_of_stages()))
    {
    }

    __device__ void run()
    {
        const unsigned warp = threadIdx.x / CUDA_WARP;
        unsigned ticket = 0; /* of who loads; on its way while the barriers begin */
        if (threadIdx.x == 0)
            ticket = Rules::take(control.tickets);
        begin();
        if (warp == 0)
            load(ticket);
        else if (warp == 1)
            look_ahead();
        else if (warp < 2 + shape.reducers)
            reduce(warp - 2);
        else
            scan(warp - 2 - shape.reducers);
    }

  private:
    __device__ void begin()
    {
        if (threadIdx.x == CUDA_WARP) { /* not who waits for a ticket */
            for (unsigned s = 0; s < shape.stages; s++) {
                cuda_phases_begin(&slots[s].loaded, Tile::places);
                cuda_phases_begin(&slots[s].ready,
                                  1 + CUDA_ARRIVALS); /* who looks ahead, a reducer */
                cuda_phases_begin(&slots[s].free,
                                  (shape.reducers + shape.scanners) * CUDA_ARRIVALS);
            }
            cuda_phases_show();
        }
        __syncthreads();
    }

    /* ---- the warp that loads ------------------------------------------------------------- */

    /* One thread, which has a ticket. That it is one must be plain to the compiler: of the tickets
     * of a warp it makes one addition, whose result all wait for before anything is loaded. */
    __device__ void load(unsigned ticket)
    {
        if (threadIdx.x != 0)
            return;
        const cuda_policy policy = cuda_policy_of(shape.evicts_input);
        for (cuda_place at;; at.advance(shape.stages)) {
            const unsigned next = ticket - control.first_ticket;
            const unsigned tile = next < control.tiles ? next : LOOKAHEAD_NO_TILE;
            lookahead_slot<T> &slot = slots[at.stage];
            if (tile != LOOKAHEAD_NO_TILE) /* asked for now, needed when the next stage is free */
                ticket = Rules::take(control.tickets);
            Rules::wait_free(&slot.free,
                             at.parity ^ 1); /* at first there is no phase to wait for */
            slot.tile = tile;
            if (tile == LOOKAHEAD_NO_TILE) {
                for (unsigned i = 0; i < Tile::places; i++)
                    cuda_phases_arrive(&slot.loaded);
                return;
            }
            load_tile(tile, at.stage, policy);
            Tile::place(slot, tile);
        }
    }

    __device__ void load_tile(unsigned tile, unsigned stage, cuda_policy policy) const
    {
        constexpr unsigned per_vector = Tile::of_vector;
        const uint64_t first = Tile::first_of(tile);
        const uint64_t left = (arrays.n - first) / per_vector * per_vector;
        const unsigned end =
            left < Tile::tile_elements() ? static_cast<unsigned>(left) : Tile::tile_elements();
        const unsigned begin = first < arrays.n ? 0 : per_vector; /* the array begins in between */
        const unsigned bytes = end > begin ? (end - begin) * (16 / per_vector) : 0;
        Rules::announce(&slots[stage].loaded, bytes);
        if (bytes > 0)
            cuda_bulk_load(Tile::loaded_of(stage, 0) + begin, arrays.in + (first + begin), bytes,
                           &slots[stage].loaded, policy);
    }

    /* ---- the warp that looks ahead -------------------------------------------------------- */

    __device__ void look_ahead()
    {
        lookahead_totals<Op, Words> totals(control, Rules::carry(op, control));
        for (cuda_place at;; at.advance(shape.stages)) {
            lookahead_slot<T> &slot = slots[at.stage];
            Rules::wait_loaded(&slot.loaded, at.parity);
            const unsigned tile = slot.tile;
            if (tile == LOOKAHEAD_NO_TILE)
                return;
            const total_type prefix = Tile::prefix_of(slot, totals, control.number_of(tile));
            if (lane() == 0) {
                slot.prefix = prefix;
                cuda_phases_arrive(&slot.ready);
            }
        }
    }

    /* ---- the warps that reduce ------------------------------------------------------------ */

    /* Reducer number `mine` takes each tile whose turn is its. */
    __device__ void reduce(unsigned mine)
    {
        unsigned turn = 0;
        for (cuda_place at;; at.advance(shape.stages)) {
            lookahead_slot<T> &slot = slots[at.stage];
            Rules::wait_loaded(&slot.loaded, at.parity);
            const unsigned tile = slot.tile;
            if (tile == LOOKAHEAD_NO_TILE)
                return;
            if (turn == mine)
                reduce_tile(tile, at.stage);
            turn = turn + 1 == shape.reducers ? 0 : turn + 1;
            cuda_phases_arrive_warp(&slot.free); /* all lanes have read the stage */
        }
    }

    __device__ void reduce_tile(unsigned tile, unsigned stage)
    {
        lookahead_slot<T> &slot = slots[stage];
        const total_type up_to = Tile::up_to_parts(slot, tile, stage);
        control.template publish<Words>(tile, up_to);
        const total_type before = cuda_shuffle_up(up_to, 1);
        if (lane() < shape.scanners)
            slot.part[lane()] = lane() == 0 ? op.identity() : before;
        cuda_phases_arrive_warp(&slot.ready);
    }

    /* ---- the warps that scan --------------------------------------------------------------- */

    /* A stage whose part is being stored is given back when the next one is loaded: until then the
     * store has time. */
    __device__ void scan(unsigned part)
    {
        lookahead_slot<T> *storing = nullptr;
        for (cuda_place at;; at.advance(shape.stages)) {
            lookahead_slot<T> &slot = slots[at.stage];
            Rules::wait_loaded(&slot.loaded, at.parity);
            const unsigned tile = slot.tile;
            if (storing != nullptr) {
                if (lane() == 0)
                    Rules::wait_stored(false);
                cuda_phases_arrive_warp(&storing->free);
                storing = nullptr;
            }
            if (tile == LOOKAHEAD_NO_TILE)
                break;
            scan_part(tile, at, part);
            const unsigned room = Tile::room_of(at);
            const bool in_bulk = Tile::is_stored_in_bulk(tile);
            if (!in_bulk)
                Tile::store_elements(tile, room, part);
            else if (lane() == 0)
                cuda_bulk_store(arrays.out + (Tile::first_of(tile) + part * part_elements),
                                part_of(room, part), part_elements * sizeof(T));
            if (!Tile::is_wide && in_bulk)
                storing = &slot;
            else if (!Tile::is_wide)
                cuda_phases_arrive_warp(&slot.free);
        }
        if (Tile::is_wide && lane() == 0)
            Rules::wait_stored(false);
    }

    /* Scans a part of a tile and makes it ready for a bulk copy. All turns run the same
     * instructions. */
    __device__ void scan_part(unsigned tile, const cuda_place &at, unsigned part)
    {
        const int last = Tile::last_of(slots[at.stage], part);
#pragma unroll 1
        for (unsigned turn = Tile::turns_of(last); turn-- > 0;)
            scan_turn(tile, at, part, last, turn);
        Rules::fence();
        __syncwarp(); /* all lanes have written, and have seen this phase of the barriers */
    }

    /* In registers, then into the stage or, if results are wider, into a room of their own: then
     * the last turn gives the stage back first, and the room's last store must have read it. */
    __device__ void scan_turn(unsigned tile, const cuda_place &at, unsigned part, int last,
                              unsigned turn)
    {
        lookahead_slot<T> &slot = slots[at.stage];
        lines_type lines;
        if (Tile::is_whole(tile))
            Tile::get_lines(lines, at.stage, part);
        else
            Tile::get_edge(lines, tile, at.stage, part);
        Tile::scan(lines, last, turn);
        Rules::wait_ready(&slot.ready, at.parity); /* a reducer has read the stage, too */
        Tile::finish(lines, slot, part, last, turn);
        if constexpr (Tile::is_wide) {
            if (turn == 0)
                cuda_phases_arrive_warp(&slot.free);
            if (lane() == 0)
                Rules::wait_stored(Tile::is_stored_in_bulk(tile));
            __syncwarp();
        }
        Tile::put(lines, part_of(Tile::room_of(at), part), last, turn);
    }
};

/* Sums of f32 in f64 take more registers than so many threads have. */
template <typename Op> inline constexpr unsigned lookahead_most_threads = LOOKAHEAD_MOST_THREADS;
template <>
inline constexpr unsigned lookahead_most_threads<cuda_sum<cuda_accurate_f32>> =
    (2 + LOOKAHEAD_MOST_REDUCERS + LOOKAHEAD_MOST_SCANNERS / 2) * 32;

/* Scans in[0 ... n-1] into out, which may be in if the types are the same, with any number of CTAs.
 */
template <typename Op, unsigned LINES, typename Words, typename Rules, typename T, typename From>
__global__ void __launch_bounds__(lookahead_most_threads<Op>)
    lookahead_scan(Op op, cuda_arrays<T, From> arrays,
                   lookahead_control<typename Words::word> control, lookahead_shape shape)
{
    CUDA_SHARED_BYTES(shared, (lookahead_shared<T, From>(shape, LINES)));
    lookahead_cta<Op, LINES, Words, Rules, lookahead_tile<Op, LINES, From>>(op, arrays, control,
                                                                            shape, shared)
        .run();
}

#endif
