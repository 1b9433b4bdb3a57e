#pragma once
#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "suite/contract/tables/schema.hpp"

namespace ddpbench {

// Reaches a number of a row: a member, or one of an estimate's three.
template <class Row>
struct NumberMember {
  double Row::*number = nullptr;
  Estimate Row::*estimate = nullptr;
  double Estimate::*part = nullptr;

  double& of(Row& row) const { return number != nullptr ? row.*number : row.*estimate.*part; }
  double of(const Row& row) const { return number != nullptr ? row.*number : row.*estimate.*part; }
};

// Describes one field of a line.
template <class Row>
struct CsvField {
  using Member = std::variant<std::string Row::*, std::int64_t Row::*, NumberMember<Row>, bool Row::*>;
  std::string name;
  Member member;
  const char* help;
  const char* unit;
};

// Appends the fields of a column, by the type of its member.
template <class Row>
struct FieldsOfColumn {
  const Column<Row>& column;
  std::vector<CsvField<Row>>& fields;

  template <class T>
  void operator()(T Row::*member) const {
    if constexpr (std::is_same_v<T, Estimate>) {
      const std::string name = column.name;
      add(name, NumberMember<Row>{nullptr, member, &Estimate::value}, column.help);
      add(name + "_lo", NumberMember<Row>{nullptr, member, &Estimate::lo}, column.bounds);
      add(name + "_hi", NumberMember<Row>{nullptr, member, &Estimate::hi}, "its other bound");
    } else if constexpr (std::is_same_v<T, double>) {
      add(column.name, NumberMember<Row>{member}, column.help);
    } else {
      add(column.name, member, column.help);
    }
  }
  void add(const std::string& name, typename CsvField<Row>::Member member, const char* help) const {
    fields.push_back({name, member, help, column.unit});
  }
};

// Returns the fields of a row's line in their order.
template <class Row>
const std::vector<CsvField<Row>>& csv_fields() {
  static const auto made = [] {
    std::vector<CsvField<Row>> fields;
    for (const auto& column : columns<Row>()) std::visit(FieldsOfColumn<Row>{column, fields}, column.member);
    return fields;
  }();
  return made;
}

}  // namespace ddpbench
