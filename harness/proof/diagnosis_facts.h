/*
 * diagnosis_facts.h - what is known about a failure, as bits
 */
#ifndef SCANBENCH_PROOF_DIAGNOSIS_FACTS_H
#define SCANBENCH_PROOF_DIAGNOSIS_FACTS_H

#include "proof/claim.h"

#include "problem/element.h"

#define FACT(bit) (UINT64_C(1) << (bit))

/* Of writes, crashes and calls. */
#define IN_PADDING FACT(0) /* behind n, in the last tile */
#define SEVERAL FACT(1)    /* a thread has more than one value */
#define AT_FENCE FACT(2)   /* in run, with inaccessible pages beside the buffers */
#define NOTHING FACT(3)    /* n = 0 */
#define IN_CREATE FACT(4)  /* the call that failed, here and below */
#define IN_CALL FACT(5)    /* supports or run */
#define IN_RUN FACT(6)
#define FAR FACT(7)     /* from the buffer, further than a step of the tile reaches */
#define OUTPUT FACT(40) /* the buffer */
#define INPUT FACT(41)
#define IN_PARTS FACT(42) /* in several parts; what is right in one has no other mistake */

/* How the configuration ran. */
#define AT_WRAP FACT(8) /* an index or n in fewer bits ends here */
#define REPEATED FACT(9)
#define IN_PLACE FACT(10)
#define OF_RUN (AT_WRAP | REPEATED | IN_PLACE)

/* What was written. */
#define UNWRITTEN FACT(11)
#define OF_WRITES (OF_RUN | UNWRITTEN)
#define ALL_LEFT FACT(13)  /* of less than a tile */
#define TILE_LEFT FACT(14) /* the last of whole tiles */
#define TAIL_LEFT FACT(15)
#define FROM_PART FACT(16) /* from the start of a part that is not the first */

/* Inputs that come after others, which were right. */
#define MARKS FACT(17)
#define CLOSE FACT(18)
#define SUBNORMALS FACT(19)
#define NANS FACT(43)
#define FACTORS FACT(44)
#define GROWING FACT(50)

/* In many scans; what is right in one has no other mistake. */
#define IN_ROWS FACT(45)
#define GOES_ON FACT(46)      /* what comes where the scan before goes on */
#define TO_THE_END FACT(47)   /* the last wrong element is the last of a scan */
#define ROW_LEFT FACT(48)     /* from the first element of a row on nothing was written */
#define ROW_END_LEFT FACT(49) /* nor where the row ends, in a word that the next one begins in */

/* In results wider than the input; what is right in its own type has no other mistake. */
#define IN_RESULTS FACT(53)
#define AT_STRIDE FACT(54)  /* the last elements were not written, but others, wrongly */
#define FROM_TILE FACT(55)  /* from the start of a tile that is not the first */
#define UNEXTENDED FACT(56) /* what unsigned elements give, of signed ones */
#define AT_TAIL FACT(57)    /* less than a vector from the end */
#define OF_INPUT (OF_WRITES | MARKS | CLOSE | SUBNORMALS | NANS | FACTORS | GROWING)

/* The value of the first wrong element. */
#define FROM_SCRATCH FACT(20) /* with which the host fills scratch */
#define ROUNDED FACT(21)
#define INCLUSIVE FACT(23) /* of that kind instead, as is the last */
#define SATURATED FACT(24)
#define FINITE FACT(25)
#define IDENTITY FACT(26)
#define UNSIGNED FACT(27)
#define SIGNED FACT(22)
#define CARRIED FACT(12)    /* one more than right, in a type of which a word holds several */
#define NARROWER FACT(39)   /* the lowest bits of what is right, extended */
#define BESIDE FACT(51)     /* of 16-bit floats: a sum, at most two units in the last place off */
#define OVERFLOWED FACT(52) /* likewise: no number, where one is right */
#define OF_SCAN (OF_INPUT | FROM_SCRATCH | INCLUSIVE)
#define OF_VALUE                                                                                  \
    (OF_SCAN | ROUNDED | SATURATED | FINITE | IDENTITY | UNSIGNED | SIGNED | CARRIED | NARROWER | \
     BESIDE | OVERFLOWED)

/* Settings of tunables other than the default ones, which were right. */
#define ODD_BLOCK FACT(28)
#define OTHER_SETTING FACT(29)
#define OF_SETTING (OF_VALUE | ODD_BLOCK | OTHER_SETTING)

/* Which operands were combined. */
#define NOT_A_NUMBER FACT(30)
#define SWAPPED FACT(31)
#define NEIGHBOURS FACT(32)
#define OVERWRITTEN FACT(33)
#define OF_OPERANDS (OF_SETTING | NOT_A_NUMBER | SWAPPED | NEIGHBOURS | OVERWRITTEN)

/* Where the first wrong element lies: at most one of these. */
#define END_OF_TILES FACT(34) /* the last element of whole tiles */
#define END_ALONE FACT(35)    /* nothing but the last element */
#define BEYOND_SPINE FACT(36) /* a tile of tiles or more before it */
#define SECOND_TILE FACT(37)
#define LATER_TILE FACT(38)

/* Of a machine, which holds several elements of fewer bytes. */
enum { WORD_BYTES = 4 };

/* What is known about a failure. */
typedef struct evidence {
    const proof *p;
    const job *job;
    const fault *fault;
    proof_tile tile;
    uint64_t n;
} evidence;

static inline uint64_t fact(bool holds, uint64_t bit)
{
    return holds ? bit : 0;
}

/* Facts of a call, or of writes outside a buffer. */
uint64_t diagnosis_facts_of_call(const evidence *e);
/* Facts of wrong elements. */
uint64_t diagnosis_facts_of_element(const evidence *e);
/* Facts of the value that the first wrong element has. */
uint64_t diagnosis_facts_of_value(const evidence *e);
/* The same in results wider than the input. */
uint64_t diagnosis_facts_of_result(const evidence *e);
/* Is the first wrong element what a scan of the inputs from `from` on has there? false where that
 * would take long to know. */
bool diagnosis_got_scan_from(const evidence *e, uint64_t from);

#endif
