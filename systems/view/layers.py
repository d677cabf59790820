"""What is part of the scenery, in the order in which it is drawn: the last on top."""

from components.guidance import Goal
from components.life import Food
from components.terrain import Obstacle, Wall
from components.wind import Wind

AROUND = (Wind, Goal)  # drawn around whoever has it: one that moves is drawn as well
THINGS = (Food, Obstacle, Wall)
