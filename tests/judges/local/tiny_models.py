"""Tiny models of the real architectures, with random weights or with weights set by hand so that answers are known.

No weights can be fetched where the tests run. A folder made here has the files that a published model has, and is
loaded by the same code.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors

# Words whose presence decides in a hand-set model.
YES, NO = "agrees", "denies"

_WORDS = (
    f"{YES} {NO} wrong the a lake is deep very it holds 3 kinds of fish . , ? ! : - and not in predict premise "
    "hypothesis determine if true given passage briefly answer following question number old new stone house river "
    "runs north green hill far away nothing here says so about weather was mild that year"
).split()


def build_tokenizer(folder: Path, *, kind: str, words: Sequence[str] = ()) -> None:
    """Write a word-level tokenizer with the special tokens of "bert", "roberta" or "t5"."""
    from transformers import PreTrainedTokenizerFast

    named = {
        "bert": {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]"},
        "roberta": {"bos": "<s>", "pad": "<pad>", "eos": "</s>", "unk": "<unk>", "cls": "<s>", "sep": "</s>"},
        "t5": {"pad": "<pad>", "eos": "</s>", "unk": "<unk>"},
    }[kind]
    special = list(dict.fromkeys(named.values()))
    pieces = [*special, *dict.fromkeys([*_WORDS, *words])]
    tokenizer = Tokenizer(models.WordLevel({piece: at for at, piece in enumerate(pieces)}, unk_token=named["unk"]))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation()])
    tokenizer.decoder = decoders.WordPiece()
    ids = {name: pieces.index(name) for name in special}
    single, pair = {
        "bert": ("[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1"),
        "roberta": ("<s> $A </s>", "<s> $A </s> </s> $B </s>"),
        "t5": ("$A </s>", "$A </s> $B </s>"),
    }[kind]
    tokenizer.post_processor = processors.TemplateProcessing(single=single, pair=pair, special_tokens=list(ids.items()))
    given = {f"{role}_token": name for role, name in named.items()}
    inputs = ["input_ids", "token_type_ids", "attention_mask"] if kind == "bert" else ["input_ids", "attention_mask"]
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_input_names=inputs, **given).save_pretrained(folder)


def vocabulary_size(folder: Path) -> int:
    """Return how many pieces the tokenizer of a folder has."""
    return int(Tokenizer.from_file(str(folder / "tokenizer.json")).get_vocab_size())


def hand_set_nli(folder: Path, labels: Sequence[str] = ("contradiction", "entailment", "neutral")) -> Path:
    """Write a BERT that entails where `YES` is read, contradicts where `NO` is read, and is neutral otherwise.

    Attention is uniform, so the mean of all words reaches the first token; its norm is set to 1 again, so one word in
    hundreds decides as much as one in two.
    """
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    build_tokenizer(folder, kind="bert")
    config = BertConfig(
        vocab_size=vocabulary_size(folder),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=1,
        intermediate_size=8,
        max_position_embeddings=512,
        num_labels=len(labels),
        id2label=dict(enumerate(labels)),
        label2id={label: number for number, label in enumerate(labels)},
    )
    model = BertForSequenceClassification(config).eval()
    vocabulary = Tokenizer.from_file(str(folder / "tokenizer.json")).get_vocab()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
        bert, layer = model.bert, model.bert.encoder.layer[0]
        for norm in (bert.embeddings.LayerNorm, layer.attention.output.LayerNorm, layer.output.LayerNorm):
            norm.weight.fill_(1.0)
        words = bert.embeddings.word_embeddings.weight
        words[vocabulary[YES], 1] = 1.0
        words[vocabulary[NO], 2] = 1.0
        for dense in (layer.attention.self.value, layer.attention.output.dense, bert.pooler.dense):
            dense.weight.copy_(torch.eye(8))
        for number, label in enumerate(labels):
            dimension = {"entailment": 1, "contradiction": 2}.get(label)
            if dimension is None:
                model.classifier.bias[number] = 2.0
            else:
                model.classifier.weight[number, dimension] = 10.0
    model.save_pretrained(folder)
    return folder


def random_model(folder: Path, kind: str, *, tokens: str, **settings: Any) -> Path:
    """Write a model of a class of Transformers with random weights, always the same."""
    import torch
    import transformers

    build_tokenizer(folder, kind=tokens)
    model_class = getattr(transformers, kind)
    config = model_class.config_class(vocab_size=vocabulary_size(folder), **settings)
    torch.manual_seed(7)
    model = model_class(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():  # larger than the usual beginnings, so that inputs differ in their logits
            parameter.add_(torch.randn_like(parameter) * 0.3)
    model.save_pretrained(folder)
    return folder


_BERT = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
_T5 = {"d_model": 16, "d_ff": 32, "d_kv": 8, "num_layers": 2, "num_heads": 2, "feed_forward_proj": "gated-gelu"}
_NLI = {"id2label": {0: "contradiction", 1: "entailment", 2: "neutral"}}


def deberta_nli(folder: Path) -> Path:
    """Write a DeBERTa-v3 as the NLI cross-encoders are."""
    return random_model(
        folder,
        "DebertaV2ForSequenceClassification",
        tokens="bert",
        **_BERT,
        **_NLI,
        pad_token_id=0,
        type_vocab_size=0,
        relative_attention=True,
        position_biased_input=False,
        pos_att_type=["p2c", "c2p"],
        position_buckets=32,
        norm_rel_ebd="layer_norm",
        share_att_key=True,
        max_relative_positions=-1,
    )


def roberta_minicheck(folder: Path) -> Path:
    """Write a RoBERTa as MiniCheck's is, with room for 62 tokens."""
    return random_model(
        folder,
        "RobertaForSequenceClassification",
        tokens="roberta",
        **_BERT,
        num_labels=2,
        max_position_embeddings=64,
        pad_token_id=1,
        type_vocab_size=1,
    )


def hhem(folder: Path) -> Path:
    """Write a model laid out as HHEM-2.1-Open: weights under "t5.", and its foundation in a folder of its own."""
    import torch
    from safetensors.torch import save_file
    from transformers import T5Config, T5ForTokenClassification

    foundation = folder / "foundation"
    build_tokenizer(foundation, kind="t5")
    config = T5Config(vocab_size=vocabulary_size(foundation), **_T5, pad_token_id=0, num_labels=2)
    torch.manual_seed(7)
    model = T5ForTokenClassification(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.3)
    config.save_pretrained(foundation)
    weights = {f"t5.{name}": tensor.contiguous() for name, tensor in model.state_dict().items()}
    weights.pop("t5.transformer.encoder.embed_tokens.weight")  # the same matrix as the shared one
    save_file(weights, folder / "model.safetensors")
    settings = {"model_type": "TinyHHEM", "foundation": str(foundation)}
    (folder / "config.json").write_text(json.dumps(settings), encoding="utf-8")
    return folder


def with_own_code(folder: Path) -> Path:
    """Write a `hand_set_nli` with a class of the model's own, which leaves a mark where it runs."""
    hand_set_nli(folder)
    settings = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    settings |= {
        "model_type": "own",
        "auto_map": {"AutoConfig": "own.OwnConfig", "AutoModelForSequenceClassification": "own.OwnModel"},
    }
    (folder / "config.json").write_text(json.dumps(settings), encoding="utf-8")
    (folder / "own.py").write_text(_OWN_CODE, encoding="utf-8")
    return folder


_OWN_CODE = """
import os
from pathlib import Path
from transformers import BertConfig, BertForSequenceClassification

Path(os.environ["OWN_CODE_MARK"]).touch()


class OwnConfig(BertConfig):
    model_type = "own"


class OwnModel(BertForSequenceClassification):
    config_class = OwnConfig
"""

# How a model of each judge is made, by the judge's name.
BUILDERS: dict[str, Callable[[Path], Path]] = {
    "nli": hand_set_nli,
    "hhem": hhem,
    "minicheck": roberta_minicheck,
}
