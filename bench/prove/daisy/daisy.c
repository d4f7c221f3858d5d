// Daisy: a small file system with a lock for each inode, block and file, after the case study of
// Kahlon, Gupta and Sinha (CAV 2006), in our own words. Its sizes are small, as they were there.
//
// It has two races, each of which shows as an assertion:
//
//   RACE=1   A block's bit in the allocation area is set by reading its byte, changing it and
//            writing it back, under that block's lock only: blocks that share a byte get lost.
//   RACE=2   A byte of the disk is reached by a seek and then a transfer, and nothing keeps two
//            threads from seeking one after the other.
//   RACE=0   Both are mended: the allocation area and the disk have locks of their own.
//
// BLOCK_A and BLOCK_B are the blocks that the two threads create files in.
#include <assert.h>
#include <pthread.h>

#ifndef RACE
#define RACE 1
#endif
#ifndef BLOCK_A
#define BLOCK_A 0
#define BLOCK_B 1
#endif
#ifndef INODES
#define INODES 2
#endif
#ifndef BLOCKS
#define BLOCKS 4
#endif
#ifndef NUMBER_BYTES  // of a number on the disk; 8 in the original
#define NUMBER_BYTES 2
#endif

// The disk: bytes, and a head that stands at one of them.

enum {
  AREA_AT = 0,  // one bit for each block
  AREA_BYTES = (BLOCKS + 7) / 8,
  INODES_AT = AREA_AT + AREA_BYTES,
  INODE_BYTES = 2 * NUMBER_BYTES + 1,  // block number, size, used
  DATA_AT = INODES_AT + INODES * INODE_BYTES,
  DISK_BYTES = DATA_AT + BLOCKS,  // a block holds one byte
};

static unsigned char disk[DISK_BYTES];
static int head;
static pthread_mutex_t disk_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t area_lock = PTHREAD_MUTEX_INITIALIZER;

static void begin_transfer(void) {
#if RACE != 2
  pthread_mutex_lock(&disk_lock);
#endif
}

static void end_transfer(void) {
#if RACE != 2
  pthread_mutex_unlock(&disk_lock);
#endif
}

static unsigned char read_byte(int at) {
  begin_transfer();
  head = at;
  unsigned char byte = disk[head];
  end_transfer();
  return byte;
}

static void write_byte(int at, unsigned char byte) {
  begin_transfer();
  head = at;
  disk[head] = byte;
  end_transfer();
}

static int read_number(int at) {
  int number = 0;
  for (int i = 0; i < NUMBER_BYTES; ++i) number |= read_byte(at + i) << 8 * i;
  return number;
}

static void write_number(int at, int number) {
  for (int i = 0; i < NUMBER_BYTES; ++i) write_byte(at + i, (unsigned char)(number >> 8 * i));
}

// The lock manager: who takes or gives back one of its locks holds the token meanwhile, or while
// looking the lock up.

enum { INODE_LOCKS, BLOCK_LOCKS = INODES, FILE_LOCKS = BLOCK_LOCKS + BLOCKS };
enum { LOCKS = FILE_LOCKS + INODES };

static pthread_mutex_t token = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t locks[LOCKS] = {[0 ... LOCKS - 1] = PTHREAD_MUTEX_INITIALIZER};
static int users[LOCKS];

static void acquire(int lock) {
  pthread_mutex_lock(&token);
  ++users[lock];
  pthread_mutex_unlock(&token);
  pthread_mutex_lock(&locks[lock]);
}

static void release(int lock) {
  pthread_mutex_lock(&token);
  --users[lock];
  pthread_mutex_unlock(&locks[lock]);
  pthread_mutex_unlock(&token);
}

// Blocks and their allocation.

static void set_allocated(int block, int allocated) {
#if RACE != 1
  pthread_mutex_lock(&area_lock);
#endif
  const int at = AREA_AT + block / 8;
  const unsigned char bit = (unsigned char)(1 << block % 8);
  const unsigned char byte = read_byte(at);
  write_byte(at, allocated ? byte | bit : byte & (unsigned char)~bit);
#if RACE != 1
  pthread_mutex_unlock(&area_lock);
#endif
}

static int is_allocated(int block) {
  return read_byte(AREA_AT + block / 8) >> block % 8 & 1;
}

static void allocate(int block, int allocated) {
  acquire(BLOCK_LOCKS + block);
  set_allocated(block, allocated);
  release(BLOCK_LOCKS + block);
}

static void write_block(int block, unsigned char byte) {
  acquire(BLOCK_LOCKS + block);
  write_byte(DATA_AT + block, byte);
  release(BLOCK_LOCKS + block);
}

static unsigned char read_block(int block) {
  acquire(BLOCK_LOCKS + block);
  const unsigned char byte = read_byte(DATA_AT + block);
  release(BLOCK_LOCKS + block);
  return byte;
}

// Inodes: which block a file has, how much of it, and whether there is a file at all.

static int inode_at(int inode) {
  return INODES_AT + inode * INODE_BYTES;
}

static void write_inode(int inode, int block, int size, int used) {
  write_number(inode_at(inode), block);
  write_number(inode_at(inode) + NUMBER_BYTES, size);
  write_byte(inode_at(inode) + 2 * NUMBER_BYTES, (unsigned char)used);
}

static int inode_block(int inode) {
  return read_number(inode_at(inode));
}

static int inode_used(int inode) {
  return read_byte(inode_at(inode) + 2 * NUMBER_BYTES);
}

// Files.

static void create_file(int inode, int block) {
  acquire(INODE_LOCKS + inode);
  write_inode(inode, block, 0, 1);
  allocate(block, 1);
  release(INODE_LOCKS + inode);
}

static void write_file(int inode, unsigned char byte) {
  acquire(FILE_LOCKS + inode);
  acquire(INODE_LOCKS + inode);
  const int block = inode_block(inode);
  write_inode(inode, block, 1, 1);
  release(INODE_LOCKS + inode);
  write_block(block, byte);
  release(FILE_LOCKS + inode);
}

static int read_file(int inode) {
  acquire(FILE_LOCKS + inode);
  acquire(INODE_LOCKS + inode);
  const int used = inode_used(inode), block = inode_block(inode);
  release(INODE_LOCKS + inode);
  const int byte = used ? read_block(block) : -1;
  release(FILE_LOCKS + inode);
  return byte;
}

static void delete_file(int inode) {
  acquire(FILE_LOCKS + inode);
  acquire(INODE_LOCKS + inode);
  allocate(inode_block(inode), 0);
  write_inode(inode, 0, 0, 0);
  release(INODE_LOCKS + inode);
  release(FILE_LOCKS + inode);
}

// The directory: the name of a file is a number, and leads to its inode.

static int directory[INODES];
static pthread_mutex_t directory_lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(int name, int inode) {
  pthread_mutex_lock(&directory_lock);
  directory[inode] = name;
  pthread_mutex_unlock(&directory_lock);
}

static int lookup(int name) {
  int inode = -1;
  pthread_mutex_lock(&directory_lock);
  for (int i = 0; i < INODES; ++i)
    if (directory[i] == name) inode = i;
  pthread_mutex_unlock(&directory_lock);
  return inode;
}
