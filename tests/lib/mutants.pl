# mutants.pl FILE FOLDER: damaged copies of a shared object (64-bit, little-endian), the
# same ones each time: FOLDER/NAME-PART-HOW-NUMBER.so.
use strict;
use warnings;

my ( $file, $folder ) = @ARGV;
my ($name) = $file =~ m{([^/]+)\.so\z};
open my $in, '<:raw', $file or die "$file: $!\n";
my $image = do { local $/; <$in> };
die "$file: not ELF, 64-bit, little-endian\n" if substr( $image, 0, 6 ) ne "\x7fELF\x02\x01";

# The parts a loader reads: name => [offset, bytes].
my ( $segments, $sections ) = unpack 'x32 Q< Q<', $image;
my ( $segment_count, $section_bytes, $section_count, $names_at ) = unpack 'x56 S< S< S< S<', $image;
my %part = (
    header   => [ 0,         64 ],
    segments => [ $segments, 56 * $segment_count ],
    sections => [ $sections, $section_bytes * $section_count ],
);
my %wanted = (
    '.dynamic'     => 'dynamic',
    '.dynsym'      => 'symbols',
    '.dynstr'      => 'strings',
    '.gnu.hash'    => 'hash',
    '.rela.dyn'    => 'relocations',
    '.init_array'  => 'start',
    '.data.rel.ro' => 'tables',
);
my @table = map { [ unpack 'L< x20 Q< Q<', substr $image, $sections + $_ * $section_bytes ] }
  0 .. $section_count - 1;
for (@table) {
    my ( $at, $offset, $bytes ) = @$_;
    my $word = unpack 'Z*', substr $image, $table[$names_at][1] + $at;
    $part{ $wanted{$word} } = [ $offset, $bytes ] if $bytes && $wanted{$word};
}

sub keep {
    my ( $part, $how, $number, $bytes ) = @_;
    my $path = sprintf '%s/%s-%s-%s-%02d.so', $folder, $name, $part, $how, $number;
    open my $out, '>:raw', $path or die "$path: $!\n";
    print {$out} $bytes;
    close $out or die "$path: $!\n";
}

srand 1;
for my $part ( sort keys %part ) {
    my ( $offset, $bytes ) = @{ $part{$part} };
    for my $number ( 1 .. 8 ) {
        my $mutant = $image;
        for ( 1 .. 1 << rand 4 ) {
            my $at = $offset + int rand $bytes;
            substr( $mutant, $at, 1 ) ^= chr 1 + int rand 255;
        }
        keep( $part, 'flip', $number, $mutant );
    }
    for my $number ( 1 .. 2 ) {
        my $mutant = $image;
        my $from   = int rand $bytes;
        my $length = 1 + int rand $bytes - $from;
        substr( $mutant, $offset + $from, $length ) = "\0" x $length;
        keep( $part, 'zero', $number, $mutant );
    }
}
my $number = 0;
keep( 'file', 'cut', $number++, substr $image, 0, $_ )
  for 0, 1, 4, 63, 64, 65, length($image) - 1, map { int length($image) * $_ / 12 } 1 .. 11;
