"""The Pick tool: chooses the tool and prefab of the entity under the mouse; a drag with the middle button pans."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons

from sandbox.app.session.session import Session
from sandbox.app.session.tool import Spot, Tool
from sandbox.app.tools.under import under
from sandbox.language import translate


class Pick(Tool):
    """The tool of the middle button, and of the left one with Alt."""

    name, title, icon = "pick", "Pick", icons.ICON_FA_EYE_DROPPER
    help = "Takes the tool and the prefab of what is under the mouse."
    uses_brush = False

    def release(self, session: Session, spot: Spot) -> None:
        if spot.moved:
            return
        world, hand = session.simulation.world, session.hand
        serial = under(session, spot)
        if serial is None:
            session.messages.say("There is nothing here to pick.")
            return
        prefab = list(world.prefabs.values())[world.table.prefab[world.table.row_of(serial)]]
        tool = next((tool for tool in hand.tools if tool.places(prefab)), None)
        if tool is None:
            session.messages.say(translate("No tool places {name}.", name=prefab.name))
            return
        hand.choose(tool, prefab.name)
        hand.take(session, tool)
        session.messages.say(f"{tool.title.lower()}: {prefab.name}", 2)
