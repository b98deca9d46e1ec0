/*
 * fiber.cpp - switches between stacks, and tells the address sanitizer about them
 */
#undef _FORTIFY_SOURCE /* it forbids longjmp to another stack */
#include "fiber.h"

#include <cstdint>

#if defined(__SANITIZE_ADDRESS__)
#define FIBER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FIBER_ASAN 1
#endif
#endif
#ifdef FIBER_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace emulator
{

static void leaves(void **fake_p, const void *stack, size_t bytes)
{
#ifdef FIBER_ASAN
    __sanitizer_start_switch_fiber(fake_p, stack, bytes);
#else
    (void)fake_p;
    (void)stack;
    (void)bytes;
#endif
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the sanitizer writes through it. */
static void arrives(void *fake, const void **stack_p, size_t *bytes_p)
{
#ifdef FIBER_ASAN
    __sanitizer_finish_switch_fiber(fake, stack_p, bytes_p);
#else
    (void)fake;
    (void)stack_p;
    (void)bytes_p;
#endif
}

/* Marks a place on this stack, and goes on at one on another. The library's longjmp has the address
 * sanitizer forget what this stack has poisoned, with a system call each time; the compiler's does
 * not. */
#ifdef FIBER_ASAN
#define MARK(place) __builtin_setjmp(reinterpret_cast<void **>(place))
#define GO_ON_AT(place) __builtin_longjmp(reinterpret_cast<void **>(place), 1)
#define STACK_IS_KEPT __attribute__((no_sanitize_address))
#else
#define MARK(place) _setjmp(place)
#define GO_ON_AT(place) _longjmp(place, 1)
#define STACK_IS_KEPT
#endif

/* makecontext passes only ints. */
void fiber::enter(unsigned low, unsigned high)
{
    const uint64_t address = static_cast<uint64_t>(high) << 32 | low;
    auto *self = reinterpret_cast<fiber *>(static_cast<uintptr_t>(address));
    arrives(nullptr, &self->outer_stack_, &self->outer_bytes_);
    (*self->body_)();
}

void fiber::prepare(const std::function<void()> *body, char *stack, size_t bytes)
{
#ifdef FIBER_ASAN
    __asan_unpoison_memory_region(stack, bytes); /* a fiber that was left behind may have used it */
#endif
    body_ = body;
    stack_ = stack;
    bytes_ = bytes;
    entered_ = false;
    getcontext(&context_);
    context_.uc_stack.ss_sp = stack;
    context_.uc_stack.ss_size = bytes;
    context_.uc_link = nullptr;
    const uint64_t address = reinterpret_cast<uintptr_t>(this);
    makecontext(&context_, reinterpret_cast<void (*)()>(&fiber::enter), 2,
                static_cast<unsigned>(address), static_cast<unsigned>(address >> 32));
}

STACK_IS_KEPT void fiber::resume()
{
    void *fake = nullptr;
    leaves(&fake, stack_, bytes_);
    if (MARK(outside_) == 0) {
        if (entered_)
            GO_ON_AT(inside_);
        entered_ = true;
        setcontext(&context_);
    }
    arrives(fake, nullptr, nullptr);
}

STACK_IS_KEPT void fiber::suspend()
{
    void *fake = nullptr;
    leaves(&fake, outer_stack_, outer_bytes_);
    if (MARK(inside_) == 0)
        GO_ON_AT(outside_);
    arrives(fake, &outer_stack_, &outer_bytes_);
}

char *stack_pool::take()
{
    if (free_.empty()) {
        all_.emplace_back(new char[BYTES]);
        free_.push_back(all_.back().get());
    }
    char *stack = free_.back();
    free_.pop_back();
    return stack;
}

void stack_pool::give(char *stack)
{
    free_.push_back(stack);
}

} // namespace emulator
