"""The field: public sentences and our own, spoken to the product's own reading, judged by what would have come of them."""
