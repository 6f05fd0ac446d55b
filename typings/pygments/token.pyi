"""Kinds of tokens."""

class TokenType(tuple[str, ...]):
    def __getattr__(self, name: str) -> TokenType: ...

Comment: TokenType
Error: TokenType
Keyword: TokenType
Name: TokenType
Number: TokenType
Operator: TokenType
Punctuation: TokenType
String: TokenType
Whitespace: TokenType
