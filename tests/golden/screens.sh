# Every pane in its layout at six sizes: pictures (tests/golden/screens), words and rows (tests/screens/screens.c).
cd "$(dirname "$0")/../.." || exit 1
mkdir -p tests/golden/screens
exec "$BUILD/tests/screens"
