# A prove plugin: with no file named on the command line, prove runs the C tests
# and the plugins of the build folder (build, or $SCANBENCH_BUILD) and the shell
# tests in the folders beside this one. A plugin dropped into the build folder is found too.
# What takes minutes comes first, so that with -j the short tests fill the gaps at the end.
# Tests that have a line `# slow` are about the program rather than this machine; they run with
# SCANBENCH_TESTS=all, as in .ci/run, or where they are named.
package Scanbench;

use strict;
use warnings;

# On a CPU each setting of an OpenCL plugin is compiled anew, and each broken plugin is proved.
my @longest = ( qr{/plugins/\w*opencl_\w+\.so\z}, qr{^tests/proof/}, qr{^tests/install/}, qr{\.so\z} );

sub is_slow {
    my ($file) = @_;
    return 0 if $file !~ m{^tests/};
    open my $test, '<', $file or return 0;
    return scalar grep { $_ eq "# slow\n" } <$test>;
}

sub rank {
    my ($file) = @_;
    my ($rank) = grep { $file =~ $longest[$_] } 0 .. $#longest;
    return $rank // scalar @longest;
}

sub load {
    my ( undef, $given ) = @_;
    my $prove = $given->{app_prove};
    return 1 if @{ $prove->argv } || @{ $prove->state || [] };

    my $build = $ENV{SCANBENCH_BUILD} || 'build';
    my @files;
    my @shell = map { [ $_, 't' ] } grep { -d } glob 'tests/*';
    for my $place ( [ "$build/plugins", 'so' ], @shell, [ "$build/tests", 't' ] ) {
        my ( $folder, $extension ) = @$place;
        opendir my $handle, $folder
          or die "prove: $folder: $!; build first: ./bootstrap test\n";
        push @files, map {"$folder/$_"} sort grep {/\.$extension\z/} readdir $handle;
        closedir $handle;
    }
    if ( ( $ENV{SCANBENCH_TESTS} || '' ) ne 'all' ) {
        my $all = @files;
        @files = grep { !is_slow($_) } @files;
        my $left = $all - @files;
        print STDERR "# $left slow tests are left out, which are about the program rather than this machine;",
          " SCANBENCH_TESTS=all runs them\n" if $left;
    }
    my %rank = map { $_ => rank($_) } @files;
    $prove->argv( [ sort { $rank{$a} <=> $rank{$b} } @files ] ); # sort is stable
    return 1;
}

1;
