/*
 * fiber.h - functions that can stop in the middle and continue later, on stacks of their own
 *
 * A switch saves and restores registers with _setjmp and _longjmp, which unlike swapcontext make no
 * system call; a context of the system only gives a fiber its stack.
 */
#ifndef FIBER_H
#define FIBER_H

#include <csetjmp>
#include <cstddef>
#include <functional>
#include <memory>
#include <ucontext.h>
#include <vector>

namespace emulator
{

class fiber
{
  public:
    fiber() = default;
    fiber(const fiber &) = delete;
    fiber &operator=(const fiber &) = delete;

    /* Runs `body`, which must not return, on `stack` when the fiber is resumed for the first time.
     */
    void prepare(const std::function<void()> *body, char *stack, size_t bytes);
    /* From outside: continues the fiber until it suspends. */
    void resume();
    /* Inside: returns to whoever resumed it. */
    void suspend();

  private:
    static void enter(unsigned low, unsigned high);

    const std::function<void()> *body_ = nullptr;
    char *stack_ = nullptr;
    size_t bytes_ = 0;
    bool entered_ = false;
    ucontext_t context_;
    jmp_buf inside_;
    jmp_buf outside_;
    const void *outer_stack_ = nullptr; /* for the address sanitizer */
    size_t outer_bytes_ = 0;
};

/* Stacks that are used again. */
class stack_pool
{
  public:
    static constexpr size_t BYTES = size_t{64} * 1024;
    char *take();
    void give(char *stack);

  private:
    std::vector<std::unique_ptr<char[]>> all_;
    std::vector<char *> free_;
};

} // namespace emulator

#endif
