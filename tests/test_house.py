"""Properties of the project as a whole."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "rulekit"
MODULES = sorted(p for p in PACKAGE.rglob("*.py") if not p.is_relative_to(PACKAGE / "_games"))
WEB = [
    p
    for p in sorted((ROOT / "web").rglob("*.*"))
    if p.suffix in (".ts", ".tsx", ".css", ".py", ".mjs") and "node_modules" not in p.parts
]
SOURCES = MODULES + sorted(PACKAGE.rglob("*.lark")) + WEB

GAME_WORDS = (
    "athen",
    "spart",
    "hoplit",
    "trireme",
    "amphipolis",
    "sphacteri",
    "brasidas",
    "stratagem",
    "peltast",
    "helot",
    "messenian",
)
LONGEST = 800
PLACES_OF_A_MACHINE = re.compile(
    r"(?<![.\w])/(?:work|root|home)/"
)  # only absolute paths: `../home/api` is a path of the source


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def tracked() -> list[Path]:
    """Return the files of git. Without git (in an unpacked archive), return all files except built
    ones."""
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listing.returncode == 0:
        paths = [ROOT / line for line in listing.stdout.split("\0") if line]
    else:
        paths = [
            p
            for p in ROOT.rglob("*")
            if not any(part.startswith(".") for part in p.relative_to(ROOT).parts)
        ]
    return [p for p in paths if p.is_file()]


def test_no_mark_of_a_merge_is_left() -> None:
    marks = re.compile(rb"^(<{7}|>{7}|[|]{7}) |^={7}$", re.MULTILINE)
    assert not [name(path) for path in tracked() if marks.search(path.read_bytes())]


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_no_word_of_a_game_stands_in_the_engine(path: Path) -> None:
    found = [
        f"{name(path)}:{number}: {word}"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for word in GAME_WORDS
        if word in line.lower()
    ]
    assert not found


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_module_is_short_and_says_what_it_takes_and_makes(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LONGEST
    if path.name not in ("__init__.py", "__main__.py"):
        doc = ast.get_docstring(ast.parse(text))
        assert doc, "the first line of a module says what it takes and what it makes"


def is_positional(base: ast.expr) -> bool:
    """Is this a record of the log, a trace of a total or a mark of a choice?"""
    match base:
        case ast.Name(id="record" | "trace" | "mark") | ast.Attribute(attr="record"):
            return True
        case ast.Subscript(
            value=ast.Name(id="log" | "marks") | ast.Attribute(attr="log" | "marks")
        ):
            return True
    return False


@pytest.mark.parametrize("path", [p for p in MODULES if p.name != "records.py"], ids=name)
def test_records_traces_and_marks_are_read_by_the_names_of_their_fields(path: Path) -> None:
    """A number in brackets says nothing: `rulekit/runtime/records.py` has the names."""
    found = [
        f"{name(path)}:{node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Constant)
        and isinstance(node.slice.value, int)
        and is_positional(node.value)
    ]
    assert not found


def codes() -> list[str]:
    """Return the diagnostic codes of the package."""
    return sorted(
        {
            code
            for path in MODULES
            for code in re.findall(r"\bRK\d{3}\b", path.read_text(encoding="utf-8"))
        }
    )


@cache
def broken() -> list[str]:
    """Return the texts of all broken games with their expected findings."""
    return [p.read_text("utf-8") for p in (ROOT / "tests" / "broken").rglob("*") if p.is_file()]


@pytest.mark.parametrize("code", codes())
def test_every_diagnostic_is_explained_and_has_a_fixture(code: str) -> None:
    pages = (ROOT / "docs" / "diagnostics.md").read_text(encoding="utf-8")
    assert re.search(rf"^#+ {code}\b", pages, re.MULTILINE), (
        f"docs/diagnostics.md has no entry for {code}"
    )
    assert any(code in text for text in broken()), f"no fixture under tests/broken expects {code}"


def test_every_explained_diagnostic_exists() -> None:
    pages = (ROOT / "docs" / "diagnostics.md").read_text(encoding="utf-8")
    explained = re.findall(r"^#+ (RK\d{3})\b", pages, re.MULTILINE)
    assert explained == sorted(set(explained)), "in order, each once"
    assert set(explained) <= set(codes())


def test_the_public_api_is_narrow() -> None:
    import rulekit

    assert len(rulekit.__all__) <= 25
    for public in rulekit.__all__:
        assert getattr(rulekit, public) is not None


def imports() -> nx.DiGraph[str]:
    """Return the graph of imports between modules, including those in functions and for types
    only."""
    paths = {
        ".".join(p.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): p
        for p in MODULES
    }
    graph: nx.DiGraph[str] = nx.DiGraph()
    for module, path in paths.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            named = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                named = [
                    each if (each := f"{node.module}.{a.name}") in paths else node.module
                    for a in node.names
                ]
            graph.add_edges_from(
                (module, other) for other in named if other in paths and other != module
            )
    return graph


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Imports in functions or for types only count too."""
    assert not [
        sorted(circle) for circle in nx.strongly_connected_components(imports()) if len(circle) > 1
    ]


def test_no_place_of_a_machine_is_written_down() -> None:
    found = []
    for path in tracked():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found += [f"{name(path)}: {place}" for place in PLACES_OF_A_MACHINE.findall(text)]
    assert not found


def modules_after(code: str) -> set[str]:
    """Return the modules that a fresh interpreter has imported after `code`."""
    program = f"{code}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


HEAVY = {"lark", "jsonschema", "networkx", "yaml"}


def test_a_game_out_of_the_cache_runs_without_the_authoring_half() -> None:
    code = (
        "import rulekit\n"
        "state = rulekit.load('examples/tic_tac_toe').new(seed=1)\n"
        "while state.decision:\n    state.apply(state.decision.options[0])"
    )
    modules_after(code)  # fills the cache
    loaded = modules_after(code)
    assert not loaded & HEAVY
    assert (
        "rulekit.compiler.source.folder" not in loaded
    )  # only the modules of `source` for the hash of a folder, the key of the cache
    assert not [m for m in loaded if re.match(r"rulekit\.compiler\.(?!source)", m)]


def test_the_cache_asks_after_all_that_makes_a_compiled_game() -> None:
    """A change in any folder that check and compile import invalidates the cache."""
    from rulekit.runtime.cache import PARTS

    loaded = modules_after(
        "import rulekit.compiler.check.check, rulekit.compiler.compiler, rulekit.compiler.backends,"
        " rulekit.compiler.source.folder"
    )
    assert {
        m.split(".")[1] for m in loaded if m.startswith("rulekit.") and m.count(".") > 1
    } <= set(PARTS)


def test_the_help_loads_nothing_heavy() -> None:
    """`rulekit --help` imports no reader, and not attrs, which takes as long as all the rest."""
    code = (
        "from rulekit.cli.main import main\ntry:\n    main(['--help'])\nexcept SystemExit:\n   "
        " pass"
    )
    assert not modules_after(code) & {*HEAVY, "attr", "attrs"}


KEPT_IN = {
    "_anew",
    "_code",
    "_log",
    "_marks",
    "_observed",
    "_program",
    "_redo",
    "_s",
    "_table",
    "_trail",
}  # fields of a state with its position and history
GIVEN = ("slots", "log", "trail", "marks")
THEIRS = {"rulekit/engine/kernel/position.py", "rulekit/engine/game/state.py"}
PYTHON = (
    MODULES + sorted((ROOT / "tests").rglob("*.py")) + sorted((ROOT / "benchmarks").rglob("*.py"))
)


def test_a_state_keeps_its_position_in_what_is_named_here() -> None:
    from rulekit.engine.game.state import State
    from rulekit.engine.kernel.position import Position

    assert set(Position.__slots__) == KEPT_IN and State.__slots__ == ()


def _reads(path: Path) -> list[str]:
    """Return the places where a module reads the storage of a state's position, or writes to
    results that are meant to be read only. Tests may do the second."""
    found, ours = [], path.is_relative_to(PACKAGE)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and not (
            isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
        ):
            inside = node.attr in KEPT_IN if ours else node.attr == "_s"
        else:
            given = (
                node.value
                if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load)
                else None
            )
            inside = (
                ours
                and isinstance(given, ast.Attribute)
                and given.attr in GIVEN
                and "state" in ast.unparse(given)
            )
        if inside:
            found.append(f"{name(path)}:{node.lineno}: {ast.unparse(node)}")
    return found


def test_nobody_else_reads_what_a_state_keeps_its_position_in() -> None:
    """Other modules use the readers of rulekit/engine/kernel/position.py and do not write to their
    results."""
    assert not [line for path in PYTHON if name(path) not in THEIRS for line in _reads(path)]
    assert any(_reads(ROOT / path) for path in THEIRS)  # the check finds their own reads


def _imports_regular_expressions(tree: ast.Module) -> bool:
    return any(
        (
            "re" in [a.name for a in node.names]
            if isinstance(node, ast.Import)
            else isinstance(node, ast.ImportFrom) and node.module == "re"
        )
        for node in ast.walk(tree)
    )


def _reads_emitted(tree: ast.Module) -> bool:
    """Return True if code reads the text of a variant or the names in emitted code."""
    for node in ast.walk(tree):
        asked = node.value if isinstance(node, ast.Subscript) else node
        if isinstance(asked, ast.Attribute) and asked.attr == (
            "source" if asked is not node else "space"
        ):
            return True
    return False


EMITTING = tuple(
    f"rulekit/{part}/"
    for part in (
        "compiler/analysis",
        "compiler/backends",
        "compiler/ir",
        "compiler/lowering",
        "compiler/passes",
        "runtime",
    )
)
NO_CODE = {
    "rulekit/runtime/seeds.py",
    "rulekit/runtime/cache_folders.py",
}  # modules of `runtime` without emitted code


def test_no_regular_expression_goes_over_emitted_code() -> None:
    """This holds for the modules that emit or run code, and for all that read a variant's text or
    the names in it, including tests."""
    trees = {name(path): ast.parse(path.read_text(encoding="utf-8")) for path in PYTHON}
    reading = {
        path
        for path, tree in trees.items()
        if (path.startswith(EMITTING) and path not in NO_CODE) or _reads_emitted(tree)
    }
    assert (
        "rulekit/cli/commands/compile.py" in reading and "tests/random_rules/natively.py" in reading
    )  # these modules read emitted code
    assert not [path for path in reading if _imports_regular_expressions(trees[path])]


def test_no_public_class_name_stands_in_two_modules() -> None:
    """`from ... import Name` means the same class wherever it stands."""
    where: dict[str, set[str]] = {}
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                where.setdefault(node.name, set()).add(name(path))
    assert len(where) > 500
    assert {each: sorted(paths) for each, paths in where.items() if len(paths) > 1} == {}


RETIRED = {  # identifiers whose words the glossary has replaced, and constants without a thing
    *("MOST", "FEW", "MANY", "NEAR", "STILL", "LITTLE"),
    *("UnderWay", "Supposed", "Course"),
    *("hindsight", "detour", "shortcut", "composed"),
    *("because", "choices_count", "may_take_back"),
    *("LocalDoor", "PeoplesDoor", "door", "bench"),
    *("course_page", "course_told"),
    *("Passing", "PASSING", "passing_kept", "read_passing", "keep_passing"),
    *("Company", "company", "ChoicesKept", "KeptData", "KeptTable", "KeptText", "KeptNote"),
    *("NotKept", "kept_save", "not_kept"),
    *("PEOPLE", "InPeople", "PeoplesHouse", "peoples_app", "peoples_server"),
}
RETIRED_WORDS = {  # words that are no part of an identifier: `viewer` retires `by_viewer`
    *("viewer", "viewers", "onlooker", "onlookers", "knower", "outlook"),
    *("hole", "holes", "imagined", "suppose", "supposed", "witness", "foretold"),
    *("maker", "makers", "making", "makings", "knowing", "keeping", "descend"),
    *("desk", "house", "hurry", "decline", "insist", "crew", "crews", "parcel", "parcels"),
    *("told", "telling", "tells", "untold"),
}


def _identifiers(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=found) | ast.Attribute(attr=found) | ast.arg(arg=found):
                yield found
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                yield node.name


def _words(identifier: str) -> list[str]:
    """Return the words of an identifier: `own`, `line` of `_OwnLine` and of `own_line`."""
    return [each.lower() for each in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", identifier)]


def test_no_retired_name_is_an_identifier() -> None:
    """Each name says the thing and the unit, in a word of the glossary."""
    found = {
        (name(path), each)
        for path in MODULES
        for each in _identifiers(ast.parse(path.read_text(encoding="utf-8")))
        if each.lstrip("_") in RETIRED or RETIRED_WORDS & set(_words(each))
    }
    assert found == set()


LETTERS_IN = (
    "rulekit/compiler/check/lints/",
    "rulekit/compiler/check/rules/",
    "rulekit/prove/",
)  # packages in which some parameters still have names of one letter
COORDINATES = {  # modules whose parameters `x` and `y` are coordinates
    "rulekit/compiler/source/hex_geometry.py",
    "rulekit/compiler/source/polygons.py",
}


def _one_letter_parameters(path: Path) -> list[tuple[int, str]]:
    allowed = {"_", "x", "y"} if name(path) in COORDINATES else {"_"}
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            given = node.args
            optional = [each for each in (given.vararg, given.kwarg) if each is not None]
            parameters = [*given.posonlyargs, *given.args, *given.kwonlyargs, *optional]
            found += [
                (each.lineno, each.arg)
                for each in parameters
                if len(each.arg) == 1 and each.arg not in allowed
            ]
    return found


def test_a_parameter_has_a_word_for_a_name() -> None:
    """A lambda may name its parameters by one letter, as a comprehension may."""
    left = {name(path): found for path in MODULES if (found := _one_letter_parameters(path))}
    assert {path for path in left if not path.startswith(LETTERS_IN)} == set()
    assert {each for each in LETTERS_IN if not any(path.startswith(each) for path in left)} == set()


def classes(base: type) -> set[str]:
    """Return the names of all subclasses of a class. A class with slots exists twice, so they are
    compared by name."""
    return {name for cls in base.__subclasses__() for name in (cls.__name__, *classes(cls))}


def left_out(base: type, made: Iterable[type]) -> list[str]:
    """Return the names of the subclasses of which `made` has no instance."""
    return sorted(classes(base) - {cls.__name__ for cls in made})


def test_each_form_of_the_syntax_tree_has_a_typing() -> None:
    import rulekit.compiler.check.check  # fills the tables
    from rulekit.compiler.check.rules import blocks
    from rulekit.compiler.check.typecheck import dispatch
    from rulekit.compiler.syntax import ast as t

    assert rulekit.compiler.check.check and not left_out(t.ExprSyntax, dispatch.HANDLERS)
    assert not left_out(t.StmtSyntax, blocks.HANDLERS)


def test_each_statement_of_the_model_has_a_meaning() -> None:
    from rulekit.compiler import model as m
    from rulekit.compiler.reference.decisions import Asking

    assert not [name for name in sorted(classes(m.Stmt)) if not hasattr(Asking, f"do_{name}")]


def test_what_takes_long_is_there() -> None:
    """Each line of the list is an existing folder, file or test of a file. Otherwise it would have
    no effect."""
    for line in (ROOT / "tests/long.txt").read_text(encoding="utf-8").splitlines():
        file, _, test = line.partition("::")
        assert (ROOT / file).exists() and (
            not test or f"def {test}(" in (ROOT / file).read_text(encoding="utf-8")
        ), line
