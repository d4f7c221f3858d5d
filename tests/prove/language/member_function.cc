// EXPECT fail assertion
// A thread runs a member function; what is printed need not be understood.
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>

class Account {
 public:
  explicit Account(int balance) : balance_(balance) {}
  int get() {
    std::lock_guard<std::mutex> guard(mutex_);
    return balance_;
  }
  void set(int value) {
    std::lock_guard<std::mutex> guard(mutex_);
    balance_ = value;
  }
  void deposit(int amount) { set(get() + amount); }

 private:
  std::mutex mutex_;
  int balance_;
};

int main() {
  Account account(10);
  std::thread one(&Account::deposit, &account, 5), two(&Account::deposit, &account, 7);
  one.join();
  two.join();
  std::printf("%f\n", account.get() * 1.5);
  assert(account.get() == 22);
}
