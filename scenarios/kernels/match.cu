// match - where does a word first occur in each line? A line has 24 letters: a thread loads it by six
// vector loads of 4 bytes and searches for the word with returns from inside loops, so that lanes end one by one. The answer is
// the position, -1 if there is none, -2 if even the first letter is missing.
#define LETTERS 24

extern "C" __global__ void match(const uchar4 *text, const unsigned char *word, int length, short *place, int lines)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned char line[LETTERS];
	bool any = false;

	if (i >= lines)
		return;
	for (int k = 0; k < LETTERS / 4; k++) {
		uchar4 four = text[i * (LETTERS / 4) + k];

		line[4 * k] = four.x;
		line[4 * k + 1] = four.y;
		line[4 * k + 2] = four.z;
		line[4 * k + 3] = four.w;
	}
	for (int at = 0; at + length <= LETTERS; at++) {
		for (int k = 0;; k++) {
			if (k == length) {
				place[i] = at;
				return;
			}
			if (line[at + k] != word[k])
				break;
			any = true;
		}
	}
	for (int at = LETTERS - length + 1; at < LETTERS && !any; at++)
		any = line[at] == word[0];
	place[i] = any ? -1 : -2;
}
