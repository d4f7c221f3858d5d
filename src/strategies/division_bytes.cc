#include "strategies/division_bytes.h"

#include "strategies/item_bytes.h"

namespace heddle {
namespace {

void write_text(BytesOut& out, std::string_view text) {
  out.number(text.size());
  out.append(text);
}

}  // namespace

std::string to_bytes(const DivisionMessage& message) {
  BytesOut out;
  out.number(message.names.size());
  for (const ThreadName& name : message.names) {
    out.number(index(name.id));
    out.number(index(name.parent));
    out.number(name.birth);
  }
  const Division& division = message.division;
  out.number(division.apart);
  out.number(static_cast<uint32_t>(division.bound));
  out.number(division.left_out);
  write_text(out, division.notes);
  out.number(division.items.size());
  for (const WorkItem& item : division.items) {
    out.number(item.bound);
    write_text(out, item.bytes);
  }
  return out.take();
}

bool from_bytes(std::string_view bytes, DivisionMessage& message) {
  BytesIn in(bytes);
  for (uint64_t left = in.count(); left > 0; --left) {
    ThreadName name;
    name.id = ThreadId{static_cast<uint32_t>(in.number())};
    name.parent = ThreadId{static_cast<uint32_t>(in.number())};
    name.birth = static_cast<uint32_t>(in.number());
    message.names.push_back(name);
  }
  Division& division = message.division;
  division.apart = in.number();
  division.bound = static_cast<int32_t>(in.number());
  division.left_out = static_cast<uint32_t>(in.number());
  division.notes = in.text();
  for (uint64_t left = in.count(); left > 0; --left) {
    WorkItem item;
    item.bound = static_cast<uint32_t>(in.number());
    item.bytes = in.text();
    division.items.push_back(std::move(item));
  }
  return !in.damaged() && in.done();
}

}  // namespace heddle
