// The page tracker against plain copies of the memory it looks after.
#include "runtime/rewind/page_tracker.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <vector>

#include "base/random.h"
#include "runtime/guest/layout.h"

namespace heddle {
namespace {

PageTracker* g_tracker = nullptr;

void on_fault(int, siginfo_t* info, void*) {
  if (!g_tracker->handle_write_fault(reinterpret_cast<uint64_t>(info->si_addr)))
    signal(SIGSEGV, SIG_DFL);
}

class Pages {
 public:
  explicit Pages(size_t count) : count_(count) {
    void* at = mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    data_ = static_cast<unsigned char*>(at);
  }
  ~Pages() { munmap(data_, bytes()); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  unsigned char* data() { return data_; }
  uint64_t begin() const { return reinterpret_cast<uint64_t>(data_); }
  uint64_t end() const { return begin() + bytes(); }
  size_t bytes() const { return count_ * kPageBytes; }

 private:
  size_t count_;
  unsigned char* data_;
};

class PageTrackerTest : public testing::Test {
 protected:
  void SetUp() override {
    tracker_.initialise();
    g_tracker = &tracker_;
    struct sigaction action = {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGSEGV, &action, &before_);
  }
  void TearDown() override { sigaction(SIGSEGV, &before_, nullptr); }

  PageTracker tracker_;
  struct sigaction before_ = {};
};

TEST_F(PageTrackerTest, BringsBackWhatWasThereWhateverIsWritten) {
  constexpr size_t kPages = 40;
  Random random(1);
  Pages protected_pages(kPages), hot_pages(2);
  for (size_t i = 0; i < protected_pages.bytes(); ++i)
    protected_pages.data()[i] = static_cast<unsigned char>(random.next());
  const std::vector<unsigned char> then(protected_pages.data(),
                                        protected_pages.data() + protected_pages.bytes());
  hot_pages.data()[17] = 5;
  tracker_.track(protected_pages.begin(), protected_pages.end(), false);
  tracker_.track(hot_pages.begin(), hot_pages.end(), true);
  EXPECT_EQ(tracker_.hot_pages(), 2u);
  for (int round = 0; round < 1000; ++round) {
    for (uint64_t writes = random.below(8); writes > 0; --writes)
      protected_pages.data()[random.below(protected_pages.bytes())] ^= 1;
    hot_pages.data()[17] = 6;
    tracker_.restore();
    ASSERT_EQ(memcmp(protected_pages.data(), then.data(), then.size()), 0) << "round " << round;
    ASSERT_EQ(hot_pages.data()[17], 5);
  }
}

TEST_F(PageTrackerTest, APageThatIsLeftAloneCoolsDownAndIsSavedAnewWhenItIsWrittenAgain) {
  Pages pages(3);
  tracker_.track(pages.begin(), pages.end(), false);
  pages.data()[0] = 1;
  pages.data()[2 * kPageBytes] = 1;
  EXPECT_EQ(tracker_.hot_pages(), 2u);
  for (int round = 0; round < 1000; ++round) {
    pages.data()[0] = 1;
    tracker_.restore();
  }
  EXPECT_EQ(tracker_.hot_pages(), 1u);
  pages.data()[2 * kPageBytes] = 2;
  EXPECT_EQ(tracker_.hot_pages(), 2u);
  tracker_.restore();
  EXPECT_EQ(pages.data()[0], 0);
  EXPECT_EQ(pages.data()[2 * kPageBytes], 0);
}

TEST_F(PageTrackerTest, PinnedPagesStayOpen) {
  Pages pages(2);
  tracker_.track(pages.begin(), pages.end(), false);
  tracker_.pin(pages.begin(), pages.begin() + kPageBytes);
  for (int round = 0; round < 1000; ++round) tracker_.restore();
  EXPECT_EQ(tracker_.hot_pages(), 1u);
  EXPECT_FALSE(tracker_.handle_write_fault(pages.begin()));
  pages.data()[0] = 1;
  tracker_.restore();
  EXPECT_EQ(pages.data()[0], 0);
}

TEST_F(PageTrackerTest, TheKernelMayWriteWhereItWasPrepared) {
  Pages pages(4);
  tracker_.track(pages.begin(), pages.end(), false);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const char text[] = "across two pages";
  unsigned char* at = pages.data() + kPageBytes - 4;
  ASSERT_EQ(write(ends[1], text, sizeof text), static_cast<ssize_t>(sizeof text));
  tracker_.prepare_write(reinterpret_cast<uint64_t>(at), sizeof text);
  EXPECT_EQ(tracker_.hot_pages(), 2u);
  EXPECT_EQ(read(ends[0], at, sizeof text), static_cast<ssize_t>(sizeof text));
  tracker_.restore();
  EXPECT_EQ(at[0], 0);
  EXPECT_EQ(at[4], 0);
  close(ends[0]);
  close(ends[1]);
}

TEST_F(PageTrackerTest, FaultsElsewhereAreGenuine) {
  Pages tracked(1), other(1);
  tracker_.track(tracked.begin(), tracked.end(), false);
  EXPECT_FALSE(tracker_.handle_write_fault(other.begin()));
  EXPECT_TRUE(tracker_.tracks(tracked.begin() + 1, tracked.begin() + 2));
  EXPECT_FALSE(tracker_.tracks(tracked.end(), tracked.end() + 1));
  EXPECT_TRUE(tracker_.handle_write_fault(tracked.begin() + 9));
  EXPECT_FALSE(tracker_.handle_write_fault(tracked.begin() + 9)) << "it is open already";
}

TEST_F(PageTrackerTest, ManyHotPagesAreOpenedInGroups) {
  constexpr size_t kPages = 5000;
  Pages pages(kPages);
  tracker_.track(pages.begin(), pages.end(), false);
  for (size_t page = 0; page < kPages; page += 2) pages.data()[page * kPageBytes] = 1;
  EXPECT_GT(tracker_.hot_pages(), kPages / 2);
  tracker_.restore();
  for (size_t page = 0; page < kPages; ++page) ASSERT_EQ(pages.data()[page * kPageBytes], 0);
}

}  // namespace
}  // namespace heddle
