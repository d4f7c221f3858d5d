// Random walks that count classes of executions: the mean weight of a walk is how many there are.
//
// Problem. How long will a search take that runs one execution of each class (optimal_dpor.cc)? It
// finds out only while going what there is to try at a configuration, so what it knows half-way
// says little about the rest. And the tree of all schedules, of which random descents tell the size
// (Knuth, "Estimating the efficiency of backtrack programs", 1975), is larger by orders.
//
// Idea. Descend in the tree that sleep sets leave over (sleep_set.h). Each class has exactly one
// execution there that comes to its end; all others are abandoned because every step is asleep. So
// let the weight of a walk be the inverse of the probability with which it was taken, or 0 if it is
// abandoned, and its mean is the number of classes, whatever the probabilities are. They decide
// only how far single walks are from the mean, and that depends on two things: to be abandoned
// seldom, and to toss coins for nothing but the order of steps that are in a race.
//
// A walk asks the threads one after the other whether one takes the next step. Whoever says no
// sleeps, until a step that is dependent with its own has been taken. A thread in which nobody else
// is interested says yes (nearly always: what is believed about the others may be wrong, and a
// probability of 0 would leave classes out). Otherwise it has rivals: threads that, as far as is
// known from earlier walks, are yet to come to a dependent action. With n of them it says yes with
// probability 1/(1 + n·r), where r is how often sleepers at this action were woken: who is never
// woken has slept in vain, and with it the whole walk. The last one awake has no choice.
//
// What was learnt changes the probabilities of later walks only, so that the mean stays what it is.
//  * Of each thread: which objects it comes to, and up to which of its steps.
//  * With which locks: two threads that never come to an object without the same lock are no rivals
//    while one of them holds it. Locks are told apart by 64 bits, which may confuse two of them.
//  * A release and an acquire are no rivals: the acquire waits for it. Who only tries does not.
//  * Of each action: how often a thread that slept at it was woken. Twice: a rival that sleeps
//    itself must first be woken, so that it counts for less.
//
// What was tried and is worse: choosing among all transitions with the same probability, and making
// good for it by the number of ways in which the class could have been begun (the probability with
// which a walk over the linearisations of the class alone would have gone this way). No walk is
// abandoned then, but where several pairs of threads race beside each other the weights differ by
// orders of magnitude: their variance is 1,000 and more times the square of the mean on dining
// philosophers, where this one's is 5.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "explore/configuration.h"
#include "explore/strategy.h"
#include "strategies/action_table.h"

namespace heddle {

// Where a walk gets its chance from.
class Dice {
 public:
  virtual ~Dice() = default;
  virtual bool heads(double probability) = 0;
  virtual uint32_t below(uint32_t n) = 0;
};

class RandomDice final : public Dice {
 public:
  explicit RandomDice(uint64_t seed) : random_(seed) {}
  bool heads(double probability) override {
    constexpr double kUnit = 0x1p-53;
    return static_cast<double>(random_.next() >> 11) * kUnit < probability;
  }
  uint32_t below(uint32_t n) override { return static_cast<uint32_t>(random_.below(n)); }

 private:
  Random random_;
};

class ClassWalk {
 public:
  enum class Purpose : uint8_t {
    Learning,  // any transition, nobody sleeps; of no weight
    Counting,
  };

  void begin(Purpose purpose);
  // The next step, or kAbandon.
  Transition choose(const Configuration& configuration, Dice& dice);
  // The logarithm of the weight; minus infinity for 0.
  double end(Ending ending) const;
  // Whether there are atomic sections, of which it is not known in time what they touch: too many
  // classes would be counted.
  bool met_sections() const { return met_sections_; }
  // What the walk has cost, in steps.
  uint64_t cost() const { return steps_ + visits_seen_ / kVisitsPerStep; }

 private:
  static constexpr uint64_t kVisitsPerStep = 64;  // to look at them takes as long as a step

  // What a thread does to an object, as far as is known: up to which of its steps.
  struct Visits {
    uint32_t thread = 0;
    uint32_t touches = 0, changes = 0;  // one past the step; 0: never
    uint32_t tries = 0, releases = 0;   // likewise: when it may find a lock taken, or frees one
    uint64_t locks = ~uint64_t{0};      // that it held every time
  };
  enum class Rivalry : uint8_t { None, Asleep, Awake };  // Awake: one of the rivals at least
  struct Thread {
    uint64_t walk = 0;   // to which what follows belongs
    uint64_t live = 0;   // the last configuration that showed it
    uint64_t asked = 0;  // the last question in which it was counted as a rival
    uint64_t locks = 0;  // that it holds
    uint32_t steps = 0;
    uint32_t choices = 0;
    ActionId action = kNoAction;
    bool spins = false;
    bool asleep = false;
    Rivalry rivalry = Rivalry::None;  // when it went to sleep
  };
  struct Sleeps {
    uint32_t all = 0, woken = 0;
    double rate() const { return (woken + 1.0) / (all + 1.0); }
  };
  struct Rivals {
    double number = 0;
    Rivalry kind = Rivalry::None;
  };
  struct Exit {
    uint32_t thread = 0;
    uint32_t steps = 0;  // one past the last that ended the program while others lived
  };
  enum class Question : uint8_t { WhetherAny, HowMany };

  void look_at(const Configuration& configuration);
  uint32_t anybody(Dice& dice);
  uint32_t ask_all(Dice& dice);
  bool says_yes(uint32_t thread, Dice& dice);
  Rivals rivals(uint32_t thread, Question question);
  void count_rival(uint32_t thread, Rivals& rivals);
  void learn(uint32_t thread);
  void take(uint32_t thread);
  Thread& thread(uint32_t number);
  Visits& visits(ObjectNumber object, uint32_t thread);
  Sleeps& sleeps(const Thread& thread) {
    return sleeps_[2 * index(thread.action) + (thread.rivalry == Rivalry::Awake ? 0 : 1)];
  }

  ActionTable actions_;
  std::vector<Thread> threads_;
  std::vector<std::vector<Visits>> visits_;  // by object
  std::vector<Sleeps> sleeps_;               // two for each action
  std::vector<uint32_t> enabled_;            // threads, in the configuration
  std::vector<uint32_t> asked_;              // of these, who is awake: those without rivals first
  std::vector<Exit> exits_;
  size_t live_ = 0;
  size_t awake_ = 0;
  uint64_t walks_ = 0, configurations_ = 0, questions_ = 0;
  uint64_t visits_seen_ = 0;
  uint64_t steps_ = 0;
  Purpose purpose_ = Purpose::Learning;
  bool abandoned_ = false;
  bool met_sections_ = false;
  double log_weight_ = 0;
};

}  // namespace heddle
