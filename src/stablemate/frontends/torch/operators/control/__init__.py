"""Operators that call: graphs as branches and loops, functions of users; and recurrent layers."""
