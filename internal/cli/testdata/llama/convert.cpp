// Makes the grammar that llama.cpp holds a reply to from the JSON Schema on standard input, with llama.cpp's own code.
#include "json-schema-to-grammar.h"

#include <iostream>
#include <iterator>

int main() {
    try {
        std::string schema{std::istreambuf_iterator<char>(std::cin), {}};
        std::cout << json_schema_to_grammar(common_json::parse(schema));
    } catch (const std::exception & e) {
        std::cerr << e.what() << "\n";
        return 1;
    }
}
