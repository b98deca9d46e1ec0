# A prove plugin: with no file named on the command line, prove runs the C tests
# and the plugins of the build folder (build, or $SCANBENCH_BUILD) and the shell
# tests in the folders beside this one. A plugin dropped into the build folder is found too.
# What takes minutes comes first, so that with -j the short tests fill the gaps at the end.
# Tests that have a line `# slow` are about the program rather than this machine; they run with SCANBENCH_TESTS=all,
# as in .ci/nightly, with SCANBENCH_TESTS=changed, as in .ci/run, if what they are about may have changed
# (tests/lib/changed.sh), or where they are named.
package Scanbench;

use strict;
use warnings;

# On a CPU each setting of an OpenCL plugin is compiled anew, and each broken plugin is proved; kernels are compiled for
# their tests, or emulated.
my @longest = (
    qr{/plugins/\w*opencl_\w+\.so\z}, qr{^tests/proof/},
    qr{^tests/install/},                qr{\.so\z},
    qr{/tests/plugin_(?:cuda|opencl)_\w+\.t\z}
);

sub is_slow {
    my ($file) = @_;
    return 0 if $file !~ m{^tests/};
    open my $test, '<', $file or return 0;
    return scalar grep { $_ eq "# slow\n" } <$test>;
}

# Those of some tests whose line `# about:` names what may have changed.
sub concerned {
    my (@tests) = @_;
    my $script = '. tests/lib/changed.sh && for test; do if concerns . "$test"; then echo "$test"; fi; done';
    open my $found, '-|', 'sh', '-c', $script, 'sh', @tests or die "prove: sh: $!\n";
    chomp( my @concerned = <$found> );
    close $found or die "prove: tests/lib/changed.sh failed\n";
    return @concerned;
}

# without_slow WHICH FILES: the files without the slow tests that are not asked for, and says what is left out.
sub without_slow {
    my ( $which, @files ) = @_;
    return @files if $which eq 'all';
    die "prove: SCANBENCH_TESTS is '$which'; it may be all or changed\n" if $which !~ /\A(?:changed)?\z/;
    my @slow = grep { is_slow($_) } @files;
    my %left = map { $_ => 1 } @slow;
    delete @left{ concerned(@slow) } if $which && @slow;
    my $why = $which ? 'what they are about has not changed' : 'they are about the program rather than this machine';
    my $names = $which ? ' (' . join( ' ', sort keys %left ) . ')' : '';
    printf STDERR "# %d slow tests are left out, %s%s; SCANBENCH_TESTS=all runs them\n", scalar keys %left, $why, $names
      if %left;
    return grep { !$left{$_} } @files;
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
    @files = without_slow( $ENV{SCANBENCH_TESTS} || '', @files );
    my %rank = map { $_ => rank($_) } @files;
    $prove->argv( [ sort { $rank{$a} <=> $rank{$b} } @files ] ); # sort is stable
    return 1;
}

1;
