//go:build !amd64 && !arm64 && !loong64 && !mips64 && !mips64le && !ppc64 && !ppc64le && !riscv64 && !s390x

package game

// Numbers of positions and places in files are ints, which are too small where they have 32 bits.
const _ = oxbase_needs_a_64_bit_processor
