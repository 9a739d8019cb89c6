"""Word pieces as Audition cuts them (src/vectors/reader/word-piece.ts), over words that are cut out already."""

UNSPACED = "\x01"


class Pieces:
    def __init__(self, vocabulary):
        self.ids = {piece: number for number, piece in enumerate(vocabulary)}
        self.longest = max(len(piece) - 2 if piece.startswith("##") else len(piece) for piece in vocabulary)
        self.unknown, self.first, self.last = self.ids["[UNK]"], self.ids["[CLS]"], self.ids["[SEP]"]
        self.cut = {}

    def of_word(self, word):
        known = self.cut.get(word)
        if known is None:
            known = self.cut[word] = self.fresh(word)
        return known

    def fresh(self, word):
        prefix = "##"
        if word.startswith(UNSPACED):
            word, prefix = word[1:], ""
        if len(word) > 100:
            return [self.unknown]
        found, at = [], 0
        while at < len(word):
            before = "" if at == 0 else prefix
            end = min(len(word), at + self.longest)
            number = None
            while end > at:
                number = self.ids.get(before + word[at:end])
                if number is not None:
                    break
                end -= 1
            if number is None:
                number, end = self.ids.get(word[at], self.unknown), at + 1
            if number != self.unknown or not found or found[-1] != self.unknown:
                found.append(number)
            at = end
        return found

    def tokens(self, words, limit):
        """words: separated by blanks -> ids, [CLS] and [SEP] among them, at most `limit`"""
        ids = [self.first]
        for word in words.split(" "):
            if word:
                ids += self.of_word(word)
            if len(ids) >= limit - 1:
                break
        return ids[: limit - 1] + [self.last]
