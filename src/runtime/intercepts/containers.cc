// The parts of std::list, std::map and std::set that lie in libstdc++ itself: nodes are linked,
// unlinked and balanced there, in code that nobody has instrumented. Here each access to a node is
// made known like those of compiled code, or a search of a map beside an insertion would be no
// race.
//
// Nodes are laid out as libstdc++'s ABI has them. The algorithms are those of every textbook; what
// is done to the left and to the right is written once, for a side.
#include "runtime/intercepts/accesses.h"

namespace heddle {
namespace {

template <typename T>
T get(const T& place, Address pc) {
  access_range(Op::Read, &place, sizeof(T), pc);  // NOLINT(bugprone-sizeof-expression): a link
  return place;
}

template <typename T>
void set(T& place, T to, Address pc) {
  access_range(Op::Write, &place, sizeof(T), pc);  // NOLINT(bugprone-sizeof-expression): a link
  place = to;
}

struct ListNode {
  ListNode* next;
  ListNode* previous;
};

void link(ListNode* before, ListNode* after, Address pc) {
  set(before->next, after, pc);
  set(after->previous, before, pc);
}

// All that `from` heads is headed by `to`.
void take_over(ListNode* to, ListNode* first, ListNode* last, bool empty, Address pc) {
  link(to, empty ? to : first, pc);
  if (empty) return;
  link(last, to, pc);
}

enum Side : uint8_t { Left, Right };
constexpr Side opposite(Side side) {
  return side == Left ? Right : Left;
}

// The header of a tree is such a node, too: its parent is the root, its children are the first and
// the last node, and it is red.
struct TreeNode {
  enum Colour : int32_t { Red, Black };
  Colour colour;
  TreeNode* parent;
  TreeNode* child[2];
};

class Tree {
 public:
  Tree(TreeNode& header, Address pc) : header_(header), pc_(pc) {}

  void insert(Side side, TreeNode* node, TreeNode* parent) {
    put(node->parent, parent);
    put(node->child[Left], static_cast<TreeNode*>(nullptr));
    put(node->child[Right], static_cast<TreeNode*>(nullptr));
    put(node->colour, TreeNode::Red);
    put(parent->child[side], node);
    if (parent == &header_) {
      put(header_.parent, node);
      put(header_.child[opposite(side)], node);
    } else if (parent == look(header_.child[side])) {
      put(header_.child[side], node);
    }
    balance_after_insertion(node);
  }

  void erase(TreeNode* node) {
    TreeNode *hole, *parent_of_hole;
    TreeNode::Colour lost = look(node->colour);
    TreeNode* const left = look(node->child[Left]);
    TreeNode* const right = look(node->child[Right]);
    if (left != nullptr && right != nullptr) {
      TreeNode* heir = outermost(right, Left);
      hole = look(heir->child[Right]);
      parent_of_hole = heir;
      put(left->parent, heir);
      put(heir->child[Left], left);
      if (heir != right) {
        parent_of_hole = look(heir->parent);
        if (hole != nullptr) put(hole->parent, parent_of_hole);
        put(parent_of_hole->child[Left], hole);
        put(heir->child[Right], right);
        put(right->parent, heir);
      }
      replace(node, heir);
      put(heir->parent, look(node->parent));
      const TreeNode::Colour its = look(heir->colour);
      put(heir->colour, lost);
      lost = its;
    } else {
      hole = left != nullptr ? left : right;
      parent_of_hole = look(node->parent);
      if (hole != nullptr) put(hole->parent, parent_of_hole);
      replace(node, hole);
      for (Side side : {Left, Right})
        if (look(header_.child[side]) == node)
          put(header_.child[side], hole == nullptr ? parent_of_hole : outermost(hole, side));
    }
    if (lost == TreeNode::Black) balance_after_erasure(hole, parent_of_hole);
  }

 private:
  template <typename T>
  T look(const T& place) {
    return get(place, pc_);
  }
  template <typename T>
  void put(T& place, T to) {
    set(place, to, pc_);
  }

  bool is_black(TreeNode* node) { return node == nullptr || look(node->colour) == TreeNode::Black; }
  bool is_root(TreeNode* node) { return look(header_.parent) == node; }
  Side side_of(TreeNode* node, TreeNode* parent) {
    return look(parent->child[Left]) == node ? Left : Right;
  }

  TreeNode* outermost(TreeNode* node, Side side) {
    while (TreeNode* next = look(node->child[side])) node = next;
    return node;
  }

  // Whoever had `old` below has `now` there.
  void replace(TreeNode* old, TreeNode* now) {
    TreeNode* parent = look(old->parent);
    if (is_root(old))
      put(header_.parent, now);
    else
      put(parent->child[side_of(old, parent)], now);
  }

  // The child at the other side rises in the place of `node`, which sinks towards `side`.
  void rotate(TreeNode* node, Side side) {
    TreeNode* riser = look(node->child[opposite(side)]);
    TreeNode* middle = look(riser->child[side]);
    put(node->child[opposite(side)], middle);
    if (middle != nullptr) put(middle->parent, node);
    replace(node, riser);
    put(riser->parent, look(node->parent));
    put(riser->child[side], node);
    put(node->parent, riser);
  }

  void balance_after_insertion(TreeNode* node) {
    while (!is_root(node) && !is_black(look(node->parent))) {
      TreeNode* parent = look(node->parent);
      TreeNode* grandparent = look(parent->parent);
      const Side side = side_of(parent, grandparent);
      TreeNode* uncle = look(grandparent->child[opposite(side)]);
      if (!is_black(uncle)) {
        put(parent->colour, TreeNode::Black);
        put(uncle->colour, TreeNode::Black);
        put(grandparent->colour, TreeNode::Red);
        node = grandparent;
        continue;
      }
      if (side_of(node, parent) != side) {
        rotate(parent, side);
        parent = node;
      }
      put(parent->colour, TreeNode::Black);
      put(grandparent->colour, TreeNode::Red);
      rotate(grandparent, opposite(side));
      break;
    }
    put(look(header_.parent)->colour, TreeNode::Black);
  }

  // Paths through `node`, which may be none, are one black node short.
  void balance_after_erasure(TreeNode* node, TreeNode* parent) {
    while (!is_root(node) && is_black(node)) {
      const Side side = side_of(node, parent);
      TreeNode* sibling = look(parent->child[opposite(side)]);
      if (!is_black(sibling)) {
        put(sibling->colour, TreeNode::Black);
        put(parent->colour, TreeNode::Red);
        rotate(parent, side);
        sibling = look(parent->child[opposite(side)]);
      }
      if (is_black(look(sibling->child[Left])) && is_black(look(sibling->child[Right]))) {
        put(sibling->colour, TreeNode::Red);
        node = parent;
        parent = look(node->parent);
        continue;
      }
      if (is_black(look(sibling->child[opposite(side)]))) {
        put(look(sibling->child[side])->colour, TreeNode::Black);
        put(sibling->colour, TreeNode::Red);
        rotate(sibling, opposite(side));
        sibling = look(parent->child[opposite(side)]);
      }
      put(sibling->colour, look(parent->colour));
      put(parent->colour, TreeNode::Black);
      put(look(sibling->child[opposite(side)])->colour, TreeNode::Black);
      rotate(parent, side);
      break;
    }
    if (node != nullptr) put(node->colour, TreeNode::Black);
  }

  TreeNode& header_;
  Address pc_;
};

// From the header, the neighbour is the outermost node of the other side.
TreeNode* neighbour(TreeNode* node, Side side, Address pc) {
  const bool is_header = side == Left && get(node->colour, pc) == TreeNode::Red &&
                         get(get(node->parent, pc)->parent, pc) == node;
  if (is_header) return get(node->child[Right], pc);
  if (TreeNode* next = get(node->child[side], pc)) {
    while (TreeNode* inner = get(next->child[opposite(side)], pc)) next = inner;
    return next;
  }
  TreeNode* parent = get(node->parent, pc);
  while (node == get(parent->child[side], pc)) {
    node = parent;
    parent = get(parent->parent, pc);
  }
  // Where the root is the last node the climb has gone through the header.
  return side == Right && get(node->child[Right], pc) == parent ? node : parent;
}

}  // namespace
}  // namespace heddle

using namespace heddle;

HEDDLE_EXPORT void _ZNSt8__detail15_List_node_base7_M_hookEPS0_(ListNode* node, ListNode* before) {
  const Address pc = HEDDLE_CALLER;
  ListNode* previous = get(before->previous, pc);
  link(previous, node, pc);
  link(node, before, pc);
}

HEDDLE_EXPORT void _ZNSt8__detail15_List_node_base9_M_unhookEv(ListNode* node) {
  const Address pc = HEDDLE_CALLER;
  link(get(node->previous, pc), get(node->next, pc), pc);
}

// From `first` up to, and without, `last`.
HEDDLE_EXPORT void _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(ListNode* before,
                                                                        ListNode* first,
                                                                        ListNode* last) {
  const Address pc = HEDDLE_CALLER;
  if (before == last) return;
  ListNode* ahead_of_first = get(first->previous, pc);
  ListNode* moved_last = get(last->previous, pc);
  link(ahead_of_first, last, pc);
  link(get(before->previous, pc), first, pc);
  link(moved_last, before, pc);
}

HEDDLE_EXPORT void _ZNSt8__detail15_List_node_base10_M_reverseEv(ListNode* header) {
  const Address pc = HEDDLE_CALLER;
  ListNode* node = header;
  do {
    ListNode* next = get(node->next, pc);
    set(node->next, get(node->previous, pc), pc);
    set(node->previous, next, pc);
    node = next;
  } while (node != header);
}

HEDDLE_EXPORT void _ZNSt8__detail15_List_node_base4swapERS0_S1_(ListNode* a, ListNode* b) {
  const Address pc = HEDDLE_CALLER;
  ListNode *first_a = get(a->next, pc), *last_a = get(a->previous, pc);
  ListNode *first_b = get(b->next, pc), *last_b = get(b->previous, pc);
  take_over(a, first_b, last_b, first_b == b, pc);
  take_over(b, first_a, last_a, first_a == a, pc);
}

HEDDLE_EXPORT void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(
    bool left, TreeNode* node, TreeNode* parent, TreeNode* header) {
  Tree(*header, HEDDLE_CALLER).insert(left ? Left : Right, node, parent);
}

HEDDLE_EXPORT TreeNode* _ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(
    TreeNode* node, TreeNode* header) {
  Tree(*header, HEDDLE_CALLER).erase(node);
  return node;
}

HEDDLE_EXPORT TreeNode* _ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(TreeNode* node) {
  return neighbour(node, Right, HEDDLE_CALLER);
}
HEDDLE_EXPORT TreeNode* _ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(TreeNode* node) {
  return neighbour(node, Right, HEDDLE_CALLER);
}
HEDDLE_EXPORT TreeNode* _ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(TreeNode* node) {
  return neighbour(node, Left, HEDDLE_CALLER);
}
HEDDLE_EXPORT TreeNode* _ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base(TreeNode* node) {
  return neighbour(node, Left, HEDDLE_CALLER);
}

// libheddle's own trees are not the program's. The linker sends its calls here (--wrap,
// CMakeLists.txt): whoever else defines these functions, and nothing is said of the accesses.
namespace {

class Unannounced {
 public:
  Unannounced() : before_(g_switches.accesses) { g_switches.accesses = 0; }
  ~Unannounced() { g_switches.accesses = before_; }
  Unannounced(const Unannounced&) = delete;
  Unannounced& operator=(const Unannounced&) = delete;

 private:
  uint8_t before_;
};

TreeNode* own_neighbour(TreeNode* node, Side side) {
  const Unannounced scope;
  return neighbour(node, side, kNoAddress);
}

}  // namespace

#define HEDDLE_OWN extern "C" __attribute__((visibility("hidden")))
HEDDLE_OWN void __wrap__ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(
    bool left, TreeNode* node, TreeNode* parent, TreeNode* header) {
  const Unannounced scope;
  Tree(*header, kNoAddress).insert(left ? Left : Right, node, parent);
}
HEDDLE_OWN TreeNode* __wrap__ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(
    TreeNode* node, TreeNode* header) {
  const Unannounced scope;
  Tree(*header, kNoAddress).erase(node);
  return node;
}
HEDDLE_OWN TreeNode* __wrap__ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(TreeNode* node) {
  return own_neighbour(node, Right);
}
HEDDLE_OWN TreeNode* __wrap__ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(TreeNode* node) {
  return own_neighbour(node, Right);
}
HEDDLE_OWN TreeNode* __wrap__ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(TreeNode* node) {
  return own_neighbour(node, Left);
}
HEDDLE_OWN TreeNode* __wrap__ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base(TreeNode* node) {
  return own_neighbour(node, Left);
}
