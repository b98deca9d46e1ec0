# A prove plugin: with no file named on the command line, prove runs the C tests
# and the plugins of the build folder (build, or $SCANBENCH_BUILD) and the shell
# tests in the folders beside this one. A plugin dropped into the build folder is found too.
# Plugins come first: their proofs take longest, and with -j the short tests fill the gaps.
package Scanbench;

use strict;
use warnings;

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
    $prove->argv( \@files );
    return 1;
}

1;
