"""The site of `reports/site`: the committed results as pages of HTML that ask for nothing.

What is said of the results comes from scanbench_results: who wins, what is tied, ratios, claims, words. Here it
is put into pages.
"""
