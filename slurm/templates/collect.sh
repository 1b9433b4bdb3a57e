#!/bin/bash -l
@OPTIONS@
@SETUP@
# Behind all jobs of the study, however they ended: one page of what they have measured.
@RUN@
